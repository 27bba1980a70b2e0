/** Registering an institution. */
export default {
  title: 'Register an institution',
  step: 'Step {step, number} of {steps, number}',
  back: 'Back',
  next: 'Continue',

  domain: {
    title: 'Which domain is yours here?',
    lead: 'People who give you a consent see this name. It is public, and it belongs to the institution for good: it is never given to anybody else, not even after the institution is gone.',
    label: 'Domain',
    hint: 'Small letters a to z, digits and dashes, such as santa-clara.{suffix}',
    empty: 'Please type a domain.',
    looking: 'Looking whether it is free …',
    free: '{domain} is free.',
    taken: '{domain} is taken. Choose another one.',
    resting: '{domain} was given up a short while ago. It can be taken again from {time} on.',
    DOMAIN_INVALID:
      'That cannot be a domain. Its parts are made of the letters a to z, digits, and dashes that are neither first nor last; it has at most 64 characters and ends with .{suffix}',
    DOMAIN_RESERVED: 'A part of this domain is reserved. Choose another one.',
  },

  type: {
    title: 'What kind of institution is it?',
    lead: 'It decides what a consent can allow, and cannot be changed later. Everything needs the consent of the person; nothing follows from the kind alone.',
    group: 'Kind of institution',
    none: 'Please choose one.',
    LAB: { name: 'Laboratory', what: 'May add and read records, where a consent allows it.' },
    HOSPITAL: { name: 'Hospital or clinic', what: 'May add and read records, where a consent allows it.' },
    PHYSICIAN: {
      name: 'Doctor',
      what: 'A single doctor or practice. May add and read records, where a consent allows it.',
    },
    WEARABLE: {
      name: 'Wearable or device maker',
      what: 'May add what its devices measure, and nothing else. It can never read records.',
    },
    INSURER: {
      name: 'Insurer',
      what: 'May add and read records, where a consent allows it. Every consent it receives must have an end.',
    },
    RESEARCH: { name: 'Research institution', what: 'May add and read records, where a consent allows it.' },
    PLATFORM: { name: 'Health platform', what: 'May read records, where a consent allows it. It can never add any.' },
  },

  name: {
    title: 'What is it called?',
    lead: 'People read this name before they give a consent. Write it as it is known to them.',
    label: 'Name of the institution',
    hint: 'From 2 to 120 characters.',
    short: 'Please type a name of at least 2 characters.',
    invisible: 'The name has characters that can’t be seen. Type it again by hand.',
    styled: '“{word}” has letters that only look like a to z. Type it in plain letters.',
    mixed: '“{word}” mixes letters of different alphabets. Write each word in one alphabet.',
    more: 'If you want to say where it is registered. Whatever you leave out stays out.',
    country: 'Country',
    jurisdiction: 'Jurisdiction',
    jurisdictionHint: 'Where its supervision sits: a state, a federation, an authority.',
    legalId: 'Registration number',
    legalIdHint: 'As in the public register: tax or company number.',
  },

  public: {
    title: 'This becomes public, for good',
    lead: 'The registration is written to a permanent public ledger. Look at it once more:',
    domain: 'Domain',
    type: 'Kind',
    name: 'Name',
    country: 'Country',
    jurisdiction: 'Jurisdiction',
    legalId: 'Registration number',
    key: 'Public key',
    keyWhat: 'The public half of the key that is made in the next step',
    stays:
      'Everybody can read it. Destroying the institution later removes name, country, jurisdiction, number and key from this service, but not from the ledger.',
    later:
      'Public as well, later on: which consents it receives and from whom, how many records it submits and when, and what the institute decides about it. What the records say is not.',
    uncertified: 'It begins without a certification. Only the institute certifies.',
    person:
      'Is it one person, such as a single doctor? Then these are personal data. Publish only what is public anyway.',
    yes: 'That is right, make the key',
    change: 'Change something',
  },

  key: {
    making: 'Making the key',
    makingBody: 'One moment, please.',
    failed: 'The key could not be made',
    failedBody: 'A part of this page did not load. Look at your connection and load the page again.',
    kept: 'You have a copy of the key already',
    keptBody: 'You made a copy when you began here before. It is the same key.',
    again: 'Make another copy',
    forgetful: 'This browser forgets',
    forgetfulBody:
      'It does not let us keep anything, perhaps because it is a private window. Do not close or reload this page before you are done.',
  },

  browser: {
    lead: '{domain} is registered. To work with it here, this browser keeps its key as well.',
    later: 'Not in this browser',
  },

  send: {
    title: 'Register {domain}',
    lead: 'From here on everybody can see it. It cannot be taken back.',
    yes: 'Register it now',
    sending: 'Registering {domain} …',
    taken: 'Somebody has taken {domain} in the meantime. Choose another domain, for which a new key is made.',
    anotherDomain: 'Choose another domain',
  },
};
