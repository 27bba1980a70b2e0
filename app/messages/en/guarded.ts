/** The page for guardians: whom they guard, and resigning. */
export default {
  title: 'Whom you guard',
  lead: 'If you are somebody’s guardian, your key shows whom you guard, whether you can help at present, and lets you resign.',
  which: 'Which key do you guard with?',
  reading: 'Looking up whom this key guards …',
  retry: 'Try again',
  count:
    '{count, plural, =0 {This key guards nobody. If you accepted an invitation with another key, lock this one and open that.} one {This key guards one identity.} other {This key guards # identities.}}',
  ended: 'an identity that was ended',
  state: {
    eligible: 'You can help',
    unconfirmed: 'Not confirmed yet',
    off: 'Recovery is off',
    leaving: 'You were removed',
  },
  said: {
    eligible: 'If its holder loses the key, you and one other guardian can give it a new one.',
    unconfirmed: 'You can’t help yet: its holder hasn’t confirmed you. Ask them to call you and compare the six words.',
    off: 'Its holder has turned recovery off, so no guardian can help at present.',
    leaving: 'Its holder removed you. Until <when></when> you can still confirm a recovery.',
  },
  since: 'You are its {role} since <when>.</when>',
  others:
    '{count, plural, =0 {No guardian can help at present; it takes {needed, number}.} one {One guardian can help at present; it takes {needed, number}.} other {# guardians can help at present; it takes {needed, number}.}}',
  locked: 'Its holder has locked it. You can resign once it is unlocked.',
  words: {
    show: 'Show my six words',
    what: 'Read them out when the holder asks for them, by phone or face to face.',
    label: 'Your six words',
  },
  day: 'You don’t need this page to help somebody recover. On that day you get a link; call them before you follow it.',
  lock: 'Lock key',
  resign: 'Resign',
  resigned: 'You are no longer a guardian of {domain}. Tell them yourself: this service doesn’t.',
  leave: {
    title: 'Stop being a guardian of {domain}?',
    lead: 'It takes effect at once, and you can’t undo it. To guard it again you need a new invitation.',
    few: '{left, plural, =0 {Without you no guardian can help {domain} at present.} one {Without you one guardian is left who can help {domain}.} other {Without you # guardians are left who can help {domain}.}} It takes {needed, number}: a lost key would stay lost. Tell the person first, so that they can invite somebody else.',
    tell: 'Tell them yourself: this service doesn’t.',
    public: 'Public, for ever: that a guardian resigned, and when. No name.',
    yes: 'Yes, resign',
    sending: 'Signing',
    no: 'Stay a guardian',
  },
};
