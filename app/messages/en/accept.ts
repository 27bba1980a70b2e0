/** The page of an invitation to be a guardian. */
export default {
  /** The page's name while its outcome is not known, and for search engines' and history's eyes: no domain. */
  title: 'An invitation to be a guardian',
  decline: 'No, I would rather not',
  who: {
    title: '{domain} asks you to be a guardian',
    lead: 'If the person behind {domain} ever loses their key, two guardians together can give the identity a new one. They would like you to be one of them.',
    question: 'Do you know who it is?',
    check:
      'This page cannot say: names are private here. You should know it from the person who sent you the link. If you are not sure, ask them first.',
    until: 'The invitation is good until <when>.</when>',
    yes: 'Yes, I know who it is',
    unsure: 'I am not sure who it is',
  },
  ask: {
    title: 'Then ask before you go on',
    how: 'Call the person you think of, on a number you already know, and ask: “Is {domain} yours, and did you invite me?”',
    nothing:
      'Nothing has been sent, and nothing happens if you do nothing. The invitation ends by itself on <when>.</when>',
    stranger: 'If nobody you know has sent it, close this page and forget about it.',
    yes: 'I have asked, and I know who it is',
  },
  no: {
    title: 'That is all right',
    body: 'It is a favour, and you may say no to it. Nothing has been sent, and this page tells nobody.',
    tell: 'Please tell the person behind {domain} yourself, so that they can ask somebody else. Otherwise the invitation ends by itself on <when>.</when>',
    again: 'I have changed my mind',
  },
  what: {
    title: 'What a guardian can do, and what not',
    can: 'You can',
    canHelp: 'help to give {domain} a new key, if its holder asks you and one other guardian confirms as well.',
    cannot: 'You cannot',
    cannotRead: 'see any health data, or anything else that is private.',
    cannotAlone: 'change anything alone. It always takes two guardians.',
    cannotSpend: 'spend money, sign, or decide anything for them.',
    cost: 'What it costs',
    costNothing: 'Nothing, now or later. You need no account, and you can ask to be removed at any time.',
    public: 'What becomes public, for ever',
    publicKey:
      'That {domain} has a guardian with a certain public key, a long number. It is written to a public record that nobody can change later, not even us. Nothing in it names you.',
  },
  day: {
    title: 'What to do on the day they need you',
    lead: 'You will get a link, as you did today. Then:',
    call: '<b>Call them yourself</b>, on a number you already know. Never use one from a message.',
    voice: '<b>Listen to the voice.</b> Ask something that only the two of you know.',
    words: '<b>Ask for six words.</b> They read them out, you type them in. Only the right ones let you go on.',
    key: '<b>Open your key</b>, the one you are about to make, and confirm.',
    hurry:
      'If somebody is in a great hurry and you cannot hear the right voice, do nothing. Nobody loses anything by waiting.',
    next: 'I understand, make my key',
  },
  key: {
    bound:
      'This invitation is for a key that you have already, as a guardian of {domain} or of somebody else. No other key can accept it.',
    making: 'Making your key',
    makingBody: 'It is made in this browser and never leaves it.',
    failed: 'Your key could not be made',
    failedBody:
      'Check your connection and try again. If that does not help, open the link in an up-to-date browser, on this or another device. Nothing is lost.',
    retry: 'Try again',
    kept: 'You have kept your key',
    keptBody: 'You have a copy of your own, so you can go on. You may also keep a second copy in another place.',
    again: 'Keep another copy',
    own: 'Use a key I already have',
    ownNew: 'Create a new key instead',
    ownTitle: 'Use this key?',
    ownPublic: 'This is its public half. It becomes public as the key of a guardian of {domain}.',
    ownName: 'public key',
    ownCompare:
      'Compare it with the public key your other software shows. If it is different, you pasted something else, perhaps the public key itself.',
    ownSame:
      'If you use this key elsewhere, anyone can see that both belong to the same person. A new key avoids that.',
    ownYes: 'Use this key',
    ownAnother: 'Choose another key',
  },
  accept: {
    title: 'Will you be a guardian of {domain}?',
    lead: 'Your key is kept. Nothing has been sent so far.',
    sends:
      'If you accept, this browser sends your public key and your signature, nothing else. They become public, for ever.',
    role: 'You will be its {role}.',
    yes: 'Yes, I accept',
    sending: 'Sending',
  },
  done: {
    title: 'You are a guardian of {domain}',
    lead: 'Thank you. Your acceptance has arrived.',
    words: 'Six words to compare',
    wordsBody:
      'The person behind {domain} will ask you for these words, to be sure that it is your key which arrived. Read them out to them by phone or face to face.',
    next: 'What happens now',
    nextConfirm: 'They compare the words and confirm you. You need not do anything for it.',
    nextKeep:
      'Keep your own copy of the key: the file, the 24 words, or wherever you have it. Browsers forget, and without your key you cannot help.',
    nextLost: 'If you lose it, tell them. They can invite you again.',
    nextDay: 'On the day they need you: call them yourself, listen to the voice, ask for the six words.',
    close: 'You can close this page now.',
  },
  used: {
    title: 'This invitation has been used',
    what: 'It was accepted before, and a link works only once.',
    you: 'If it was you, all is done. Keep your own copy of the key.',
    other:
      'If it was not you, tell the person behind {domain} soon. They should remove that guardian and invite you again.',
    words: 'If it was you and you still need the six words to compare, open your key.',
    show: 'Open my key and see the six words',
  },
  expired: {
    title: 'This invitation has expired',
    what: 'Invitations are good for three days, and the one from {domain} is older. Nothing has happened.',
    todo: 'If you would still like to help, ask the person behind {domain} to invite you again.',
  },
  superseded: {
    title: 'This invitation does not count any more',
    what: 'It was withdrawn, or a newer one has taken its place. Nothing has happened.',
    todo: 'See whether you have a newer link. If not, ask the person who invited you.',
  },
  locked: {
    title: '{domain} is locked',
    what: 'Its holder has locked it, and until it is unlocked nobody can become its guardian. Your invitation stays good until <when>.</when>',
    todo: 'Ask the person behind {domain}. Once they have unlocked it, open this link again.',
    other: 'If they know nothing of it, somebody else may have their key: they should see to it now.',
  },
};
