//! The committed description is what is generated.

use std::path::Path;

#[test]
fn docs_openapi_json_is_what_is_generated() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let generated = format!("{:#}\n", api::openapi());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &generated).expect("docs/openapi.json is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "docs/openapi.json is old: run this test with UPDATE_EXPECT=1 and look at the difference"
    );
}

#[test]
fn every_reference_leads_somewhere() {
    let openapi = api::openapi();
    let mut found = 0;
    let mut open = vec![&openapi];
    while let Some(value) = open.pop() {
        if let Some(name) = value["$ref"].as_str() {
            assert!(openapi.pointer(name.trim_start_matches('#')).is_some(), "{name}");
            found += 1;
        }
        match value {
            serde_json::Value::Array(values) => open.extend(values),
            serde_json::Value::Object(values) => open.extend(values.values()),
            _ => {}
        }
    }
    assert!(found > 20, "{found} references");
}
