//! What the ranks of a run know and nobody else.

use std::fmt::{self, Write as _};

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The shortest secret that is taken from a variable, in bytes: 16 hexadecimal digits are 64 bits.
pub(crate) const BYTES_MIN: usize = 16;

/// The secret of a run. It is never printed.
#[derive(Clone)]
pub struct Secret(String);

/// A proof of knowing the secret: HMAC-SHA256.
pub(crate) type Proof = [u8; 32];

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn random() -> std::io::Result<Secret> {
        Ok(Secret(nonce()?.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })))
    }

    /// Takes what a variable holds; `None` if that is too short to be a secret.
    pub(crate) fn new(text: String) -> Option<Secret> {
        (text.len() >= BYTES_MIN).then_some(Secret(text))
    }

    /// The secret as it stands in a variable.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// A proof for `parts`, of which all but the last have a fixed length. `label` says who proves what, so that no proof serves for another.
    pub(crate) fn proof(&self, label: &str, parts: &[&[u8]]) -> Proof {
        self.mac(label, parts).finalize().into_bytes().into()
    }

    /// Whether a proof is right; takes as long for any wrong one.
    pub(crate) fn verify(&self, label: &str, parts: &[&[u8]], proof: &Proof) -> bool {
        self.mac(label, parts).verify_slice(proof).is_ok()
    }

    fn mac(&self, label: &str, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).expect("HMAC takes keys of any length");
        mac.update(label.as_bytes());
        parts.iter().for_each(|part| mac.update(part));
        mac
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A number that is used once.
pub(crate) fn nonce() -> std::io::Result<[u8; 32]> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce)?;
    Ok(nonce)
}
