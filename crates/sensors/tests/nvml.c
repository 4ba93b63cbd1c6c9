/* An NVML with two GPUs that always tell the same, for tests of what is made of it. NVML's own order is not that of the PCI bus, as may be
 * after a hot plug. With -DMIXED the cards differ, and the second has few sensors.
 *
 * Declarations follow nvml.h (https://docs.nvidia.com/deploy/nvml-api/). */

#include <stdio.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3 };

typedef struct gpu {
    const char *name, *uuid, *bus_id;
    unsigned long long used;
    unsigned milliwatts, celsius, busy_percent;
    unsigned long long reasons;
} gpu;

#ifdef MIXED
#define SECOND "NVIDIA RTX A400"
#else
#define SECOND "NVIDIA H200"
#endif

/* 0x4: the software's power cap; 0x40 and 0x8: slowed down by the hardware, for its heat; 0x1: idle. */
static gpu gpus[] = {
    {SECOND, "GPU-bbbb2222-0000-0000-0000-000000000002", "00000000:4C:00.0", 1000000000, 75500, 31, 0, 0x1},
    {"NVIDIA H200", "GPU-aaaa1111-0000-0000-0000-000000000001", "00000000:1B:00.0", 132000000000, 698250, 86, 99,
     0x4 | 0x8 | 0x40},
};

static int has_few_sensors(const gpu *gpu) { return strcmp(gpu->name, "NVIDIA H200") != 0; }

static int copied(const char *from, char *to, unsigned length) {
    snprintf(to, length, "%s", from);
    return SUCCESS;
}

int nvmlInit_v2(void) { return SUCCESS; }
int nvmlShutdown(void) { return SUCCESS; }
int nvmlSystemGetDriverVersion(char *version, unsigned length) { return copied("580.65.06", version, length); }

int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = sizeof gpus / sizeof gpus[0];
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, gpu **device) {
    if (index >= sizeof gpus / sizeof gpus[0]) return INVALID_ARGUMENT;
    *device = &gpus[index];
    return SUCCESS;
}

int nvmlDeviceGetName(gpu *device, char *name, unsigned length) { return copied(device->name, name, length); }
int nvmlDeviceGetUUID(gpu *device, char *uuid, unsigned length) { return copied(device->uuid, uuid, length); }

typedef struct pci_info {
    char bus_id_legacy[16];
    unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
    char bus_id[32];
} pci_info;

int nvmlDeviceGetPciInfo_v3(gpu *device, pci_info *info) {
    memset(info, 0, sizeof *info);
    return copied(device->bus_id, info->bus_id, sizeof info->bus_id);
}

typedef struct memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
} memory;

int nvmlDeviceGetMemoryInfo_v2(gpu *device, memory *info) {
    if (info->version != (sizeof *info | 2 << 24)) return INVALID_ARGUMENT;
    info->total = 150000000000;
    info->used = device->used;
    info->free = info->total - info->used;
    return SUCCESS;
}

typedef struct rates {
    unsigned gpu, memory;
} rates;

int nvmlDeviceGetUtilizationRates(gpu *device, rates *rates) {
    rates->gpu = device->busy_percent;
    rates->memory = 7;
    return SUCCESS;
}

int nvmlDeviceGetPowerUsage(gpu *device, unsigned *milliwatts) {
    *milliwatts = device->milliwatts;
    return has_few_sensors(device) ? NOT_SUPPORTED : SUCCESS;
}

int nvmlDeviceGetEnforcedPowerLimit(gpu *device, unsigned *milliwatts) {
    *milliwatts = 700000;
    return has_few_sensors(device) ? NOT_SUPPORTED : SUCCESS;
}

int nvmlDeviceGetTemperature(gpu *device, int sensor, unsigned *celsius) {
    *celsius = device->celsius;
    return sensor == 0 ? SUCCESS : INVALID_ARGUMENT;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(gpu *device, unsigned long long *reasons) {
    *reasons = device->reasons;
    return has_few_sensors(device) ? NOT_SUPPORTED : SUCCESS;
}

typedef struct field {
    unsigned id, scope;
    long long timestamp, latency;
    unsigned type, result;
    union {
        double d;
        unsigned u;
        unsigned long long ull;
    } value;
} field;

/* Field 82 is the temperature of the memory, of type 1, unsigned. */
int nvmlDeviceGetFieldValues(gpu *device, int count, field *fields) {
    for (int i = 0; i < count; i++) {
        fields[i].type = 1;
        fields[i].value.u = device->celsius + 5;
        fields[i].result = fields[i].id == 82 && !has_few_sensors(device) ? SUCCESS : NOT_SUPPORTED;
    }
    return SUCCESS;
}
