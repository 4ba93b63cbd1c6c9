//! The wheels that Finery installs, pinned by size and SHA-256.
//!
//! `jax-cuda13-pjrt` stays at 0.11.2, the version whose numbers BENCHMARKS.md holds; 0.12 exists and is used when a
//! Python environment or `FINERY_PLUGIN` brings it. The CUDA toolchain is that of CUDA 13.0, so that what its `ptxas`
//! writes is read by every driver that runs CUDA 13.

use super::Platform;

/// Wheels that are unpacked over each other into one folder of the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// Folder name in the cache, before version and architecture; for a plugin this is the wheel's package.
    pub(super) name: &'static str,
    /// Version of the wheels.
    pub(super) version: &'static str,
    /// The wheels.
    pub(super) wheels: &'static [Wheel],
    /// A file, relative to the unpacked folder, without which the bundle is not there.
    pub(super) key_file: &'static str,
}

/// One package at one version, built for one or more architectures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wheel {
    /// Package name as pip spells it.
    pub(super) package: &'static str,
    /// The file for each architecture.
    pub(super) builds: &'static [Build],
}

/// The wheel file for one architecture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    /// As [`std::env::consts::ARCH`] spells it.
    pub(super) arch: &'static str,
    /// Size of the `.whl` file.
    pub(super) size_bytes: u64,
    /// SHA-256 of the `.whl` file, in lower-case hexadecimal.
    pub(super) sha256: &'static str,
}

impl Wheel {
    /// The build for an architecture, when the publisher made one.
    pub(super) fn build_for(&self, arch: &str) -> Option<&Build> {
        self.builds.iter().find(|build| build.arch == arch)
    }
}

/// The plugin of a platform.
pub(super) fn plugin(platform: Platform) -> &'static Bundle {
    match platform {
        Platform::Cpu => &CPU,
        Platform::Cuda => &CUDA,
        Platform::Rocm => &ROCM,
    }
}

static CPU: Bundle = Bundle {
    name: "xla-cpu-pjrt",
    version: "0.0.1",
    wheels: &[Wheel {
        package: "xla-cpu-pjrt",
        builds: &[
            Build {
                arch: "x86_64",
                size_bytes: 63_461_052,
                sha256: "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc",
            },
            Build {
                arch: "aarch64",
                size_bytes: 49_514_947,
                sha256: "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9",
            },
        ],
    }],
    key_file: "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
};

static CUDA: Bundle = Bundle {
    name: "jax-cuda13-pjrt",
    version: "0.11.2",
    wheels: &[Wheel {
        package: "jax-cuda13-pjrt",
        builds: &[
            Build {
                arch: "x86_64",
                size_bytes: 134_162_640,
                sha256: "e5ff589d43064913bb74027682d89639c7ea48f9f81c2bae6fc75117e913f93e",
            },
            Build {
                arch: "aarch64",
                size_bytes: 128_788_047,
                sha256: "63b55e50e5c2583a25e196ba06b034b63d2b2d8ad4c2f17935652c8d3ad2dd2d",
            },
        ],
    }],
    key_file: "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
};

static ROCM: Bundle = Bundle {
    name: "jax-rocm7-pjrt",
    version: "0.12.0",
    wheels: &[Wheel {
        package: "jax-rocm7-pjrt",
        builds: &[Build {
            arch: "x86_64",
            size_bytes: 133_415_872,
            sha256: "4551d0714523355f2946ca1958c3f584e95661e467a641d36b726f718a1c7934",
        }],
    }],
    key_file: "jax_plugins/xla_rocm7/xla_rocm_plugin.so",
};

/// `ptxas` and `libdevice`, with which the CUDA plugin compiles where no CUDA is installed.
pub(super) static CUDA_TOOLCHAIN: Bundle = Bundle {
    name: "cuda-toolchain",
    version: "13.0.88",
    wheels: &[
        Wheel {
            package: "nvidia-cuda-nvcc",
            builds: &[
                Build {
                    arch: "x86_64",
                    size_bytes: 37_384_532,
                    sha256: "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
                },
                Build {
                    arch: "aarch64",
                    size_bytes: 32_455_430,
                    sha256: "c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f",
                },
            ],
        },
        Wheel {
            package: "nvidia-nvvm",
            builds: &[
                Build {
                    arch: "x86_64",
                    size_bytes: 61_601_415,
                    sha256: "c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0",
                },
                Build {
                    arch: "aarch64",
                    size_bytes: 59_234_185,
                    sha256: "c4376a291d72d22a315d9d2f69bdae8f8cd83a627f75bad395cee49a0fe65dc1",
                },
            ],
        },
    ],
    key_file: "nvidia/cu13/bin/ptxas",
};
