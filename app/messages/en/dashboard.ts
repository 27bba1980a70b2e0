/** What is around the pages of a holder and of an institution. */
export default {
  opening:
    'Looking for your identity in this browser. What is public about it is shown at once; your key is asked for only when something has to be signed.',
  state: { ACTIVE: 'Active', LOCKED: 'Locked', SUSPENDED: 'Suspended', REVOKED: 'Revoked', DESTROYED: 'Destroyed' },
  lockIt: {
    title: 'Lock {domain} now?',
    holder:
      'From this moment nobody can read or add records, and no new consent can be given, until you unlock it. Do this if you think somebody else has your key.',
    institution:
      'From this moment the institution can neither submit nor read, and receives no consents, until you unlock it.',
    yes: 'Lock now',
    no: 'Do not lock',
  },
  unlockIt: {
    title: 'Unlock {domain}?',
    holder: 'Consents that are in force can be used again from this moment.',
    institution: 'The institution can submit and read again from this moment.',
    yes: 'Unlock',
    no: 'Leave it locked',
  },
  institutionState: {
    LOCKED: { title: '{domain} is locked', body: 'It can neither submit nor read until you unlock it.' },
    SUSPENDED: {
      title: 'The institute has suspended {domain}',
      body: 'It can neither submit, read nor receive consents. You can still replace its key or destroy it.',
    },
    REVOKED: { title: 'The institute has revoked {domain}', body: 'That is final. Its consents have ended.' },
  },
  nav: 'Your pages',
  switch: 'Change identity',
  emergencyLock: 'Lock',
  unlock: 'Unlock',
  more: 'More',
  holder: {
    overview: 'Overview',
    consents: 'Consents',
    records: 'Records',
    guardians: 'Guardians',
    access: 'Access',
    export: 'Export',
    safety: 'Key and safety',
  },
  institution: {
    overview: 'Overview',
    consents: 'Consents',
    submit: 'Submit records',
    read: 'Read records',
    export: 'Export records',
    settings: 'Settings',
  },
  nobody: {
    title: 'Open your key first',
    body: 'This browser does not know your identity yet. Bring its key, or create an identity.',
    signIn: 'Sign in',
    create: 'Create an identity',
    register: 'Register an institution',
  },
  backup: {
    title: 'This key has no backup yet',
    body: 'If this browser forgets it, nobody can bring it back.',
    action: 'Make a backup now',
  },
  locked: {
    title: '{domain} is locked',
    holder:
      'Nobody can use a consent or change anything until you unlock it. You can still withdraw consents, replace the key, or destroy the identity.',
  },
  recovery: {
    title: 'Somebody is recovering {domain} with another key',
    body: '{given} of {needed} guardians have confirmed. If that is not you, call your guardians now.',
    action: 'What you can do',
  },
  otherKey: {
    title: 'The key in this browser is no longer the key of {domain}',
    body: 'It was replaced, or the identity was recovered, elsewhere. Bring the new key.',
    action: 'Bring the new key',
  },
  destroyed: {
    title: '{domain} was destroyed',
    body: 'Its key signs nothing any more.',
    forget: 'Forget it in this browser',
  },
  unreachable: 'The server cannot be reached. What you see may be out of date; this page tries again by itself.',
};
