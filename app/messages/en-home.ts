const plural = new Intl.PluralRules('en');
const entries = (count: number, shown: string) => `${shown} ${plural.select(count) === 'one' ? 'entry' : 'entries'}`;

const hero = {
  title: 'What you sign stays on the record.',
  lead: 'Perpetua takes what people and health institutions sign with their own keys, and writes it to a public ledger made to last. It pays the fee. It cannot sign for you.',
  devnetTitle: 'This server writes to a test network.',
  devnet:
    'It runs inside this server and can be wiped at any time. Use it to try things out; nothing here is permanent.',
};

const lookup = {
  label: 'Look up an identity',
  hint: (suffix: string) => `Enter its domain. A domain ends in .${suffix}.`,
  submit: 'Look up',
  looking: (domain: string) => `Looking up ${domain}.`,
  status: { ACTIVE: 'Active', LOCKED: 'Locked', DESTROYED: 'Destroyed' },
  sentence: {
    ACTIVE: 'Whoever holds the key below acts for this identity.',
    LOCKED: 'Its holder has locked it. For now it can only be unlocked, given a new key, or destroyed.',
    DESTROYED: 'Its holder has ended this identity for good. It has no key and no domain any more.',
  },
  key: 'Public key',
  keyName: 'public key',
  keyVersion: 'Key version',
  firstKey: '1, never changed',
  changedKey: (version: string) => `${version}, changed before`,
  since: 'Since',
  lockedAt: 'Locked',
  destroyedAt: 'Destroyed',
  onNetwork: 'On the network',
  latestEntry: (seq: string) => `Latest entry: no. ${seq}`,
  transaction: 'Created by',
  transactionName: 'transaction id',
  nobodyTitle: (domain: string) => `Nobody holds ${domain}.`,
  unknownTitle: (id: string) => `There is no identity ${id}.`,
  nobody: 'It was never taken, or its holder has destroyed the identity.',
  malformedTitle: (domain: string) => `“${domain}” is not a domain.`,
  malformed: (suffix: string) =>
    `A domain is made of the letters a to z, digits, dashes and dots, has at most 64 characters and ends in .${suffix}.`,
  failedTitle: 'We could not look that up.',
};

const ledger = {
  function: {
    createBEO: 'Identity created',
    lockBEO: 'Identity locked',
    unlockBEO: 'Identity unlocked',
    rotateKey: 'Key changed',
    destroyBEO: 'Identity destroyed',
    createIEO: 'Institution created',
    lockIEO: 'Institution locked',
    unlockIEO: 'Institution unlocked',
    destroyIEO: 'Institution destroyed',
    updateContacts: 'Contacts changed',
    updateRecovery: 'Recovery changed',
    inviteGuardian: 'Guardian invited',
    acceptGuardian: 'Guardian accepted',
    confirmGuardian: 'Guardian confirmed by the holder',
    confirmRecovery: 'Recovery confirmed by a guardian',
    submitRecords: 'Health records added',
    grantConsent: 'Consent given',
    revokeToken: 'Consent withdrawn',
    revokeAllTokens: 'All consents withdrawn',
    revokeAllFromIEO: 'Consents to one institution withdrawn',
    revokeByIntent: 'Consents for one purpose withdrawn',
    openProposal: 'Proposal of the institute opened',
    approveProposal: 'Proposal of the institute approved',
    updateCertification: 'Certification changed',
    beginEpoch: 'Ledger restored, a new epoch begun',
  } as Partial<Record<string, string>>,
  status: {
    ACCEPTED: 'Accepted',
    POSTED: 'Posted',
    onTheWay: 'Confirmed, not yet final',
    CONFIRMED: (confirmations: string, needed: string) => `Confirmed ${confirmations} of ${needed}`,
    FINAL: 'Final',
  },
};

const standing = {
  title: 'How an entry settles',
  accepted: {
    name: 'Accepted',
    what: 'Safe in our database, and its signer has a receipt. Waiting to be posted.',
  },
  posted: {
    name: 'On the network',
    what: (needed: string) => `Posted. Counted as final once ${needed} blocks agree and we have read it back.`,
  },
  final: {
    name: 'Final',
    arweave: 'Nobody can change or remove it any more, and neither can we.',
    devnet:
      'On Arweave nobody could change it any more. On this test network it lasts as long as this server keeps its data.',
  },
};

const latest = {
  title: 'Latest entries',
  lead: 'Each entry is one signed operation. It moves along by itself as the network confirms it.',
  time: 'When',
  what: 'What',
  entity: 'Identity',
  status: 'How far',
  number: (seq: string) => `No. ${seq}`,
  entityName: 'identity id',
  emptyTitle: 'The ledger is empty.',
  empty: 'The first signed operation that arrives here will be entry number 1.',
  unavailable: 'The latest entries cannot be shown.',
  arrived: (what: string, seq: string) => `New entry, number ${seq}: ${what}.`,
  settled: (seq: string) => `Entry number ${seq} is final.`,
};

const network = {
  title: 'The network right now',
  state: {
    ready: 'Everything works.',
    degraded: 'Requests are taken, but something needs attention.',
    unavailable: 'Requests are not taken at the moment.',
  },
  storage: 'Storage network',
  devnet: 'Embedded test network',
  devnetNote: 'Inside this server. Not permanent.',
  arweave: 'Arweave',
  arweaveNote: 'Public and permanent.',
  height: (height: string) => `Block ${height}`,
  noHeight: 'Block unknown',
  head: 'Head of the ledger',
  headAt: (seq: string, epoch: string) => `Entry ${seq}, epoch ${epoch}`,
  headName: 'id of the head',
  noHead: 'No entry yet',
  noHeadNote: 'It moves with every operation.',
  backlog: 'Waiting to be posted',
  backlogCount: entries,
  noBacklog: 'Nothing waits',
  noBacklogNote: 'All that was accepted has been posted.',
  oldest: (duration: string) => `The oldest for ${duration}.`,
  wallet: 'Wallet that pays the fees',
  balance: (amount: string) => `${amount} AR`,
  walletName: 'wallet address',
  testMoney: 'Test money, of no worth.',
  unknown: 'Not known now',
  problem: {
    database: 'The database does not answer. Nothing can be written or read until it does.',
    limiter: 'The store that counts requests does not answer. No request is taken until it does.',
    network: 'The storage network does not answer as it should. What is accepted meanwhile is kept and posted later.',
    wallet: 'The wallet that pays the fees needs attention. What is accepted meanwhile is kept and posted later.',
    backlog: 'More is waiting to be posted than should be.',
  },
  unavailable: 'The state of the network cannot be shown.',
  stale: (time: string) => `What you see is from ${time}.`,
};

const people = {
  title: 'Who it is for',
  person: {
    title: 'For you',
    body: 'You hold one key, and with it an identity: a domain and a public key. Only your key can lock it, give it a new key, or end it. It costs you nothing, and you need no account.',
    note: 'Pick a domain that does not give you away. It will be public.',
  },
  institution: {
    title: 'For an institution',
    body: 'Look up a domain and see which key counts today, whether the identity is locked, and since when. You need no contract with us, and you need not believe us either: every answer can be checked against the ledger.',
    note: 'Reading is free and open to all.',
  },
  engineer: {
    title: 'For an engineer',
    body: 'Sign canonical JSON with Ed25519 and send it by POST. The answer holds a receipt: a signed ANS-104 data item, whose id is settled before it reaches the network. Every read is a plain GET.',
    note: 'Where to start',
    ledger: 'The head of the ledger',
    canonical: 'RFC 8785, canonical JSON',
    signature: 'RFC 8032, Ed25519',
  },
};

const honest = {
  title: 'Before you sign',
  permanent: {
    title: 'What is public, and stays',
    body: [
      'Domains, public keys, and the signed messages that create, lock, change or end an identity are public.',
      'Once they are on Arweave nobody can take them down. Destroying an identity ends it here; it does not remove its past from the network.',
    ],
  },
  private: {
    title: 'What is private, and can be erased',
    body: [
      'The names and contacts of guardians are encrypted here with a key made for that one identity. Of these the network gets only a sealed digest that nobody can read.',
      'Destroying the identity deletes that key and the data at once.',
    ],
  },
  cannot: {
    title: 'What the relayer cannot do',
    body: [
      'It cannot sign for you or alter what you signed: your signature would no longer match.',
      'It cannot drop or reorder an accepted entry unseen: each entry names the one before it, and you hold a signed receipt.',
    ],
  },
  can: {
    title: 'What the relayer can do',
    body: [
      'It can refuse or delay a request, and it decides the order in which entries are accepted.',
      'Like any website it sees the network address you come from. It does not write it to the ledger.',
    ],
  },
};

export const home = { hero, lookup, ledger, standing, latest, network, people, honest };
