//! Becoming a rank: both sides prove that they know the secret, then rank 0 looks whether they run the same thing.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::coordinator::place;
use crate::frame::{read_frame, write_frame};
use crate::secret::{Proof, nonce};
use crate::{Failure, Secret, Terms, World};

/// Changes with anything that a version of this crate could not read.
const PROTOCOL: [u8; 8] = *b"ranks 03";
/// How long each side waits for what the other says in a handshake, all of it.
pub(crate) const STEP_MAX: Duration = Duration::from_secs(10);
/// The most bytes of a greeting and of its answer.
const SHORT_BYTES_MAX: usize = 256;
/// The most bytes of what a rank says of itself, its configuration included.
const INTRODUCTION_BYTES_MAX: usize = 1 << 20;
const COORDINATORS: &str = "rank 0 proves";
const RANKS: &str = "a rank proves";

/// A rank's first words.
#[derive(Serialize, Deserialize)]
struct Greeting {
    protocol: [u8; 8],
    nonce: [u8; 32],
}

/// Rank 0's answer.
#[derive(Serialize, Deserialize)]
struct Credentials {
    nonce: [u8; 32],
    proof: Proof,
}

/// An [`Introduction`] in its encoded form, which is what the proof is for.
#[derive(Serialize, Deserialize)]
struct Signed {
    introduction: Vec<u8>,
    proof: Proof,
}

/// Who a rank is and what it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Introduction {
    pub(crate) rank: u32,
    pub(crate) size: u32,
    pub(crate) epoch: u64,
    pub(crate) host: String,
    pub(crate) version: String,
    pub(crate) configuration: String,
    /// Its error, where it has come to tell only that.
    pub(crate) cannot_begin: Option<String>,
}

/// Rank 0's last word.
#[derive(Serialize, Deserialize)]
pub(crate) enum Verdict {
    /// It is one of us; rank 0 runs on this host.
    Welcome { host: String },
    /// Something is wrong with it.
    Refused(String),
    /// Nothing is wrong with it, but the run has failed before it came.
    Failed(Failure),
}

/// What rank 0 makes of an introduction.
#[derive(Debug, PartialEq)]
pub(crate) enum Judgement {
    /// It belongs here.
    Fits,
    /// It is of another start of the run, or of no run; this run goes on without it.
    Stale(String),
    /// It belongs here but runs another thing, so that the run cannot go on.
    Contradicts(String),
    /// It belongs here, where rank 0 has come only to tell its own error.
    Declined(String),
}

impl Introduction {
    pub(crate) fn new(world: &World, terms: &Terms, host: String) -> Introduction {
        let Terms { version, configuration } = terms.clone();
        let World { rank, size, epoch, .. } = *world;
        Introduction { rank, size, epoch, host, version, configuration, cannot_begin: None }
    }

    /// Rank 0's own introduction beside another one.
    pub(crate) fn judge(&self, other: &Introduction) -> Judgement {
        let (theirs, ours) = (place(other.rank, &other.host), place(self.rank, &self.host));
        if other.epoch != self.epoch {
            return Judgement::Stale(format!(
                "{theirs} belongs to start {} of the run and {ours} to start {}: end the processes of the earlier start",
                other.epoch, self.epoch
            ));
        }
        if other.size != self.size || other.rank >= other.size {
            return Judgement::Contradicts(format!(
                "{theirs} was started as one of {} and {ours} as one of {}: start all ranks with one number",
                other.size, self.size
            ));
        }
        match (&other.cannot_begin, &self.cannot_begin) {
            (Some(why), _) => return Judgement::Contradicts(format!("{theirs} cannot begin: {why}")),
            (None, Some(why)) => return Judgement::Declined(format!("{ours} cannot begin: {why}")),
            (None, None) => {}
        }
        if other.version != self.version {
            return Judgement::Contradicts(format!(
                "{theirs} runs {} and {ours} runs {}: install one version on all hosts",
                other.version, self.version
            ));
        }
        match first_difference(&other.configuration, &self.configuration) {
            Some((their_line, our_line)) => Judgement::Contradicts(format!(
                "{theirs} has {their_line} where {ours} has {our_line}: start all ranks with one configuration"
            )),
            None => Judgement::Fits,
        }
    }
}

/// What is said on a stream until then, however slowly.
struct Until<'s> {
    stream: &'s TcpStream,
    end: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(bytes)
    }
}

/// The first lines that differ, quoted.
pub(crate) fn first_difference(theirs: &str, ours: &str) -> Option<(String, String)> {
    let quoted =
        |line: Option<&str>| line.map_or_else(|| "nothing more".to_owned(), |line| format!("`{}`", line.trim()));
    let (mut theirs, mut ours) = (theirs.lines(), ours.lines());
    loop {
        match (theirs.next(), ours.next()) {
            (None, None) => return None,
            (their_line, our_line) if their_line == our_line => {}
            (their_line, our_line) => return Some((quoted(their_line), quoted(our_line))),
        }
    }
}

/// The numbers of one handshake, this side's first.
pub(crate) type Nonces = [[u8; 32]; 2];

/// A rank's side, first part: whether rank 0 is there and knows the secret; nothing if it is another program.
///
/// # Errors
/// The connection breaks.
pub(crate) fn greet(stream: &TcpStream, secret: &Secret) -> io::Result<Option<Nonces>> {
    let (ours, end) = (nonce()?, Instant::now() + STEP_MAX);
    write_frame(stream, &Greeting { protocol: PROTOCOL, nonce: ours })?;
    match read_frame::<Credentials>(Until { stream, end }, SHORT_BYTES_MAX) {
        Ok(theirs) => {
            let is_known = secret.verify(COORDINATORS, &[&ours, &theirs.nonce], &theirs.proof);
            Ok(is_known.then_some([ours, theirs.nonce]))
        }
        // Other programs answer in their own way.
        Err(cause) if cause.kind() == io::ErrorKind::InvalidData => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// Second part: what rank 0 makes of this rank.
///
/// # Errors
/// The connection breaks.
pub(crate) fn introduce(
    stream: &TcpStream,
    secret: &Secret,
    [ours, theirs]: Nonces,
    introduction: &Introduction,
) -> io::Result<Verdict> {
    let introduction = postcard::to_allocvec(introduction).map_err(io::Error::other)?;
    let proof = secret.proof(RANKS, &[&ours, &theirs, &introduction]);
    write_frame(stream, &Signed { introduction, proof })?;
    read_frame(Until { stream, end: Instant::now() + STEP_MAX }, INTRODUCTION_BYTES_MAX)
}

/// Rank 0's side, up to the verdict: what the other says of itself, or `None` if it does not know the secret.
///
/// # Errors
/// The connection breaks, or what comes is no handshake.
pub(crate) fn meet(stream: &TcpStream, secret: &Secret) -> io::Result<Option<Introduction>> {
    meet_until(Instant::now() + STEP_MAX, stream, secret)
}

fn meet_until(end: Instant, stream: &TcpStream, secret: &Secret) -> io::Result<Option<Introduction>> {
    let greeting: Greeting = read_frame(Until { stream, end }, SHORT_BYTES_MAX)?;
    if greeting.protocol != PROTOCOL {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "another protocol"));
    }
    let ours = nonce()?;
    let proof = secret.proof(COORDINATORS, &[&greeting.nonce, &ours]);
    write_frame(stream, &Credentials { nonce: ours, proof })?;
    let signed: Signed = read_frame(Until { stream, end }, INTRODUCTION_BYTES_MAX)?;
    if !secret.verify(RANKS, &[&greeting.nonce, &ours, &signed.introduction], &signed.proof) {
        return Ok(None);
    }
    let introduction = postcard::from_bytes(&signed.introduction);
    introduction.map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Rank 0's word.
///
/// # Errors
/// The connection breaks.
pub(crate) fn answer(stream: &TcpStream, verdict: &Verdict) -> io::Result<()> {
    write_frame(stream, verdict)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn introduction(rank: u32, host: &str) -> Introduction {
        Introduction {
            rank,
            size: 4,
            epoch: 1,
            host: host.to_owned(),
            version: "finery 0.1.0".to_owned(),
            configuration: "seed: 1\noptimizer:\n  learning_rate: 0.1\n".to_owned(),
            cannot_begin: None,
        }
    }

    /// What rank 0 makes of whoever does `speak`.
    fn met(speak: impl FnOnce(TcpStream) + Send + 'static) -> io::Result<Option<Introduction>> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let speaker = thread::spawn(move || speak(TcpStream::connect(address).unwrap()));
        let met = meet(&listener.accept().unwrap().0, &secret("the run's own secret"));
        speaker.join().unwrap();
        met
    }

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned()).unwrap()
    }

    /// Goes through the handshake with a proof that `prove` makes of both nonces and the introduction.
    fn prove_with(prove: impl Fn([&[u8]; 3]) -> Proof + Send + 'static) -> io::Result<Option<Introduction>> {
        met(move |stream| {
            let ours = [1; 32];
            write_frame(&stream, &Greeting { protocol: PROTOCOL, nonce: ours }).unwrap();
            let theirs: Credentials = read_frame(&stream, SHORT_BYTES_MAX).unwrap();
            let introduction = postcard::to_allocvec(&introduction(2, "b")).unwrap();
            let proof = prove([&ours, &theirs.nonce, &introduction]);
            write_frame(&stream, &Signed { introduction, proof }).unwrap();
        })
    }

    #[test]
    fn only_a_proof_by_the_secret_lets_in() {
        let met = prove_with(|parts| secret("the run's own secret").proof(RANKS, &parts)).unwrap();
        assert_eq!(met.map(|met| (met.rank, met.host)), Some((2, "b".to_owned())));

        let other_secret = prove_with(|parts| secret("the run's own Secret").proof(RANKS, &parts)).unwrap();
        assert!(other_secret.is_none());
        let other_label = prove_with(|parts| secret("the run's own secret").proof(COORDINATORS, &parts)).unwrap();
        assert!(other_label.is_none(), "rank 0's proof sent back");
        let old_nonce =
            prove_with(|parts| secret("the run's own secret").proof(RANKS, &[parts[0], &[7; 32], parts[2]])).unwrap();
        assert!(old_nonce.is_none(), "a proof that was recorded earlier");
        let other_words =
            prove_with(|parts| secret("the run's own secret").proof(RANKS, &[parts[0], parts[1], b"changed"])).unwrap();
        assert!(other_words.is_none(), "an introduction that was changed on its way");
    }

    #[test]
    fn what_is_no_handshake_is_hung_up_on() {
        let says = |bytes: &'static [u8]| {
            let error = met(move |mut stream| io::Write::write_all(&mut stream, bytes).unwrap()).unwrap_err();
            error.kind()
        };
        assert_eq!(says(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"), io::ErrorKind::InvalidData);
        assert_eq!(says(b"\xff\xff\xff\xff"), io::ErrorKind::InvalidData);
        assert_eq!(says(b""), io::ErrorKind::UnexpectedEof);
        let other = met(|stream| {
            write_frame(&stream, &Greeting { protocol: *b"ranks 01", nonce: [0; 32] }).unwrap();
        });
        assert_eq!(other.unwrap_err().to_string(), "another protocol");
    }

    /// Byte by byte it would hold a thread of rank 0 for as long as it likes.
    #[test]
    fn whoever_speaks_slowly_is_hung_up_on() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let speaker = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            let words = (SHORT_BYTES_MAX as u32).to_le_bytes().into_iter().chain([0; SHORT_BYTES_MAX]);
            for byte in words {
                if io::Write::write_all(&mut stream, &[byte]).is_err() {
                    return;
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
        let end = Instant::now() + Duration::from_millis(300);
        let error = meet_until(end, &listener.accept().unwrap().0, &secret("the run's own secret")).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock), "{error}");
        speaker.join().unwrap();
    }

    #[test]
    fn ranks_that_differ_are_named_with_what_differs() {
        let (ours, theirs) = (introduction(0, "a"), introduction(2, "b"));
        assert_eq!(ours.judge(&theirs), Judgement::Fits);

        let stale = Introduction { epoch: 0, version: "finery 0.0.9".to_owned(), ..theirs.clone() };
        let expected = "rank 2 on host b belongs to start 0 of the run and rank 0 on host a to start 1: end the processes of the earlier start";
        assert_eq!(ours.judge(&stale), Judgement::Stale(expected.to_owned()));

        let contradiction = |other: Introduction| match ours.judge(&other) {
            Judgement::Contradicts(sentence) => sentence,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            contradiction(Introduction { size: 8, ..theirs.clone() }),
            "rank 2 on host b was started as one of 8 and rank 0 on host a as one of 4: start all ranks with one number"
        );
        assert_eq!(
            contradiction(Introduction { version: "finery 0.2.0".to_owned(), ..theirs.clone() }),
            "rank 2 on host b runs finery 0.2.0 and rank 0 on host a runs finery 0.1.0: install one version on all hosts"
        );
        let other = theirs.configuration.replace("0.1", "0.2");
        assert_eq!(
            contradiction(Introduction { configuration: other, ..theirs.clone() }),
            "rank 2 on host b has `learning_rate: 0.2` where rank 0 on host a has `learning_rate: 0.1`: \
             start all ranks with one configuration"
        );
        assert_eq!(
            contradiction(Introduction { configuration: "seed: 1\n".to_owned(), ..theirs }),
            "rank 2 on host b has nothing more where rank 0 on host a has `optimizer:`: start all ranks with one configuration"
        );
    }
}
