/** The public explorer, and checking it oneself. */
export default {
  title: 'Explore the ledger',
  lead: 'Look up anything that was signed here, and check it yourself in your own browser. All of it is public; you need no account.',
  search: {
    label: 'Look something up',
    hint: 'A domain, which ends in .{suffix}, or the id of an identity, an institution, a consent or a transaction.',
    submit: 'Look up',
    looking: 'Looking it up …',
  },
  latest: { title: 'Latest entries', empty: 'The ledger is empty.' },
  history: {
    title: 'History on the ledger',
    lead: 'Every operation on it, the newest first. Open one to see what was signed, and to check it.',
  },
  consents: {
    title: 'Consents it has given',
    lead: '{count, plural, =0 {It has given none yet.} one {One in all. Consents are public; the records they are about are not.} other {# in all, in force and ended, the newest first. Consents are public; the records they are about are not.}}',
    may: 'May',
    state: 'State',
  },
  kind: {
    identity: 'Identity of a person',
    institution: 'Institution',
    consent: 'Consent',
    proposal: 'Proposal of the institute',
    transaction: 'Transaction, entry no. {seq, number} of the ledger',
  },
  state: {
    ACTIVE: 'Active',
    IN_FORCE: 'In force',
    LOCKED: 'Locked',
    SUSPENDED: 'Suspended',
    REVOKED: 'Revoked',
    DESTROYED: 'Destroyed',
    EXPIRED: 'Expired',
    WITHDRAWN: 'Withdrawn',
  },
  fact: {
    publicKey: 'Public key',
    keyVersion: 'Key version',
    guardians: 'Guardians',
    created: 'Created',
    status: 'Latest entry is',
    createdBy: 'Created by transaction',
    transaction: 'transaction id',
    id: 'Id',
  },
  raw: 'All of it, as machines read it (JSON)',
  identity: {
    keyVersion: '{version, plural, one {1, never changed} other {#, changed before}}',
    guardians:
      '{count, plural, =0 {None: a lost key cannot be recovered} one {1 active, of two that a recovery needs} other {# active}}{count, plural, =0 {} other {; {confirmed, number} confirmed by the holder}}',
    confirmedOnly: 'Only guardians whose key its holder has signed count. The holder decided that for good.',
    asserted:
      'Guardians may count whom its holder has not confirmed. A recovery by them would be asserted by the relayer.',
    recovering: 'It is being recovered with another key: {given, number} of {needed, number} guardians have confirmed.',
  },
  institution: {
    calls: 'Calls itself',
    unchecked: 'In its own words. What the institute has checked, the certification says.',
    type: 'Kind',
    says: 'Says of itself',
    certification: 'Certification',
    because: {
      CERTIFIED: 'Given by the institute, and good at present.',
      UNCERTIFIED: 'The institute has not certified it.',
      IEO_NOT_ACTIVE: 'It is not active, and no certification counts meanwhile.',
      CERTIFICATION_EXPIRED: 'Its certification has run out.',
    },
    sentence: {
      ACTIVE: 'It can be given consents, and use them.',
      LOCKED: 'It has locked itself: until it unlocks, it can use no consent.',
      SUSPENDED: 'The institute has suspended it: for now it can use no consent.',
      REVOKED: 'The institute has revoked it, for good. All its consents have ended.',
      DESTROYED: 'It has ended itself, for good. All its consents have ended.',
    },
  },
  consent: {
    to: 'Consent for',
    by: 'Given by',
    for: 'Given to',
    self: 'The holder’s own key: this is how a holder reads and exports.',
    given: 'Given',
    holds: 'It holds: what it allows may be done now.',
    holdsNot:
      '{reason, select, TOKEN_REVOKED {It was withdrawn, or ended with whoever gave or had it. Nothing may be done with it any more.} TOKEN_EXPIRED {Its time has run out. Nothing may be done with it any more.} BEO_NOT_ACTIVE {It rests: whoever gave it has locked the identity.} IEO_NOT_ACTIVE {It rests: the institution is not active at present.} other {It does not hold at present.}}',
  },
  proposal: {
    action: {
      suspendIEO: 'Suspend an institution',
      reinstateIEO: 'Reinstate an institution',
      revokeIEO: 'Revoke an institution',
      changeCertLevel: 'Change a certification',
    },
    status: {
      PENDING: 'It waits for a second of the three keys of the institute.',
      EXECUTED: 'Two of the three keys of the institute approved it, and it took effect.',
      EXPIRED: 'No second key approved it within seven days, and it came to nothing.',
    },
    about: 'Institution',
    why: 'Reason given',
    approvals: 'Approvals',
    given: '{count, number} of {needed, number}',
    opened: 'Opened',
    executed: 'Took effect',
  },
  transaction: {
    status:
      '{status, select, ACCEPTED {Accepted: it counts from now on, and waits to be posted to the network.} POSTED {Posted to the network, and waiting for a block.} CONFIRMED {It is in a block. It is final once enough blocks have followed.} FINAL {Final: enough blocks have followed, and it was read back from the network.} other {}}',
    about:
      '{kind, select, identity {Identity} institution {Institution} consent {Consent} proposal {Proposal of the institute} other {About}}',
    accepted: 'Accepted',
    network: 'On the network',
    notYet: 'Not posted yet.',
    gateway: 'The network transaction that carries it',
    kept: {
      arweave: 'Arweave keeps it permanently.',
      devnet: 'This is a test network inside this server: nothing on it is permanent.',
    },
    prev: 'Entry before it',
    entry: 'The entry itself (JSON)',
  },
  nothing: {
    nobody: {
      title: 'There is nothing of this name',
      body: 'Nobody has taken it, or its holder has destroyed the identity: a destroyed identity is found by its id only. Look whether it is typed right; upper and lower case count in the id of a transaction.',
    },
    malformed: {
      title: 'This cannot be a name on the ledger',
      body: 'A domain is made of the letters a to z, digits, dashes and dots, has at most 64 characters and ends in .{suffix}. An id is copied whole from where it stands.',
    },
    back: 'See the latest entries',
  },
  terms: {
    title: 'The words used here',
    ledger: {
      name: 'Ledger',
      what: 'A list of everything that was signed here. Each entry names the one before it, so that none can be changed, added in between or taken out without it being seen.',
    },
    entry: {
      name: 'Entry, or transaction',
      what: 'One operation on the ledger, such as a consent that was given. Its id is the fingerprint of a signature and never changes.',
    },
    identity: {
      name: 'Identity',
      what: 'A domain and a public key. Who is behind it is not written here.',
    },
    institution: {
      name: 'Institution',
      what: 'A laboratory, a clinic, an insurer or the like, with a domain and a key of its own. It can only read or add what somebody consents to.',
    },
    consent: {
      name: 'Consent',
      what: 'What somebody allows an institution to do, with which kinds of data and for how long. It can be withdrawn at any time.',
    },
    key: {
      name: 'Key and signature',
      what: 'Who has the secret key can sign; who has the public key can check that. From the public key nobody can find the secret one.',
    },
    relayer: {
      name: 'Relayer',
      what: 'This service. It puts what people sign in order, signs the order with a key of its own, and pays the network. It cannot sign for anybody else.',
    },
    final: {
      name: 'Final',
      what: 'The network has built enough blocks on it and it was read back. On Arweave nobody can remove it after that.',
    },
  },
  check: {
    title: 'Check it yourself',
    lead: 'You need not believe this page that the entry is genuine. Your browser can work it out: it fetches the signed entry and its neighbours and checks them one step after the other.',
    start: 'Check it now',
    fetching: 'Fetching the entry and its neighbours …',
    checking: 'Checking …',
    going: 'Checking the entries after it: {checked, number} of {of, number} …',
    numbered: '{number, number}. {title}',
    verdict: { good: 'holds', told: 'nothing to check', bad: 'does not hold' },
    compared: 'What was compared',
    outcome: {
      good: { title: 'It is genuine', body: 'All {count, number} steps hold.' },
      told: {
        title: 'The relayer has signed it; there is no public signature of a person',
        body: 'Nothing was found wrong. Step “Who decided it” says why there is none to check.',
      },
      bad: {
        title: 'Something is wrong here',
        body: 'At least one step does not hold. Download the proof below and keep it: it shows this to anybody.',
      },
    },
    step: {
      item: {
        title: 'The id is its own',
        said: '{case, select, good {It is a whole data item in the form of the network (ANS-104), and the SHA-256 of its signature is the id you asked for.} malformed {These bytes are no data item.} other {The SHA-256 of its signature is not the id you asked for.}}',
      },
      relayer: {
        title: 'The relayer has signed it',
        said: '{case, select, good {The signature covers everything in it, by way of its deep hash (SHA-384), and is that of the relayer key.} other {The signature is not that of the relayer key over what is in it.}}',
      },
      ledger: {
        title: 'It belongs to this ledger',
        said: '{case, select, good {The name of a ledger is the SHA-256 of its relayer’s first key, and this is that key.} other {The name of the ledger is not the SHA-256 of this key.}}',
      },
      place: {
        title: 'It has one place',
        said: '{case, select, good {Its anchor is the SHA-256 of the id of the entry before it and of its own number: it fits nowhere else.} other {Its anchor does not belong to this number after that entry.}}',
      },
      entry: {
        title: 'It says one thing',
        said: '{case, select, good {Its content is written in the one way there is (canonical JSON), and its labels say the same as the content.} malformed {Its content is no entry of a ledger.} other {Its content is not written in the one way there is, or its labels say something else.}}',
      },
      person: {
        title: 'Who decided it',
        said: '{case, select, good {The key of the signer has signed exactly this message. Without that key nobody can, the relayer included.} sealed {It carries something private, such as health records or the name of a guardian. The network therefore has a digest only: the SHA-256 of a salt, the signature and the message. Whoever signed it was given the salt and can open it for you; nobody else can.} institute {The institute decided it, with one of its three keys. Such decisions carry no signature: that it was the institute is the relayer’s word.} relayer {Only the relayer writes this kind of entry, when the ledger goes on after a restore.} unsigned {It should carry the signature of a person, and does not.} foreign {It was signed for another ledger, whose id the message names. The relayer had no right to take it.} other {The signature is not that of the named key over this message.}}',
      },
      before: {
        title: 'It follows the entry before it',
        said: '{case, select, good {The relayer has signed the entry before it, and its id is the one named here.} first {It is the first entry of the ledger.} other {The entry that was given as the one before is not the one it names.}}',
      },
      after: {
        title: 'Later entries are built on it',
        said: '{case, select, good {{checked, plural, one {One entry follows, up to the newest, and names it.} other {# entries follow, up to the newest, each signed by the relayer and each naming the one before.}}} newest {It is the newest entry: none follows yet.} part {The next {checked, number} entries, as many as one check takes, each name the one before.} short {The chain ends before it should.} other {The chain breaks after {checked, number} entries.}}',
      },
      head: {
        title: 'The relayer stands by the whole',
        said: '{case, select, good {The relayer has signed, at the time shown, that the ledger ends where this chain ends. If it ever shows somebody else another entry in this place, both together prove it.} apart {The relayer has signed where the ledger ends. That is further on than this check went.} other {What the relayer has signed as the end of the ledger does not agree with this chain.}}',
      },
    },
    fact: {
      bytes: 'Size in bytes',
      statedId: 'The id you asked for',
      computedId: 'SHA-256 of the signature',
      relayerKey: 'Relayer key of this ledger',
      owner: 'Key named in the item',
      digest: 'Deep hash that was signed',
      signature: 'Signature',
      ledgerId: 'Name of the ledger',
      keyDigest: 'SHA-256 of the relayer key',
      anchor: 'Anchor in the item',
      computedAnchor: 'SHA-256 of “entry before:number”',
      function: 'Operation',
      entity: 'About',
      acceptedAt: 'Accepted at',
      seq: 'Number',
      tags: 'Labels on the item',
      signer: 'Key of the signer',
      message: 'Message that was signed',
      sealed: 'Digest on the network',
      prev: 'Entry before it',
      lastId: 'Last entry of the chain that was checked',
      headId: 'Last entry of the ledger, as signed',
      headSeq: 'Its number',
      at: 'Signed at',
    },
    network: {
      title: 'The last step is yours: compare with the network',
      notYet: 'It is not posted yet. Once it is, this page has a link to the network’s copy here.',
      how: 'So that nothing about you leaves this site, this page may not ask other servers. Open the network’s own copy of the bundle; the entry stands in it as readable text. Search for',
      bundle: 'Open the bundle at the gateway',
      devnet:
        'This is a test network inside this server, so it proves little. On Arweave it would be somebody else’s copy.',
      arweave: 'Any other gateway of Arweave must give you the same bytes.',
    },
    file: {
      title: 'Take the proof with you',
      what: 'The file has all that was checked here: the entry, the chain and the signed end of the ledger. It can be checked years from now, without this site and without a network.',
      download: 'Download the proof',
      script: 'Download the script that checks it',
      run: 'The script needs Node.js and is short enough to read first. In the folder with both files:',
      command: 'command',
      key: 'The long number is the relayer key. Compare it with one that you have from somewhere else.',
    },
    limits:
      'What one entry cannot show: whether the key was the right one at that moment, and whether the rules allowed it. That takes the whole ledger from its beginning; the command “npm run verify” does it for anybody.',
  },
};
