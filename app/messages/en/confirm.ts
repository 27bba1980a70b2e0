/** The page on which a guardian confirms a recovery. */
export default {
  title: 'A request to a guardian',
  doubt: 'I am not sure about this',
  ask: {
    title: '{domain} asks for a new key',
    lead: 'Somebody says that the key of {domain} is lost, and asks you as its guardian to help.',
    effect: 'When two guardians have confirmed, the identity gets a new key at once and the old one stops working.',
    anybody:
      'Anybody can make such a request. You find out whether it comes from the right person; the next screens show you how.',
    standing:
      '{confirmations, plural, =0 {No guardian has confirmed so far. Two are needed.} one {# guardian has confirmed so far. Two are needed.} other {# guardians have confirmed so far.}}',
    until: 'The request ends on <when>.</when>',
  },
  call: {
    title: 'Call the person yourself',
    lead: 'Talk to the person behind {domain} before you do anything else.',
    number:
      '<b>Use a number you already know.</b> Never one from a message. If they called you, hang up and call back.',
    voice: '<b>Listen to the voice.</b> Ask something that only the two of you know.',
    words: '<b>Ask whether they have lost their key</b>, and have them read you the six words on their screen.',
    ready: 'I have them on the phone',
    cannot: 'I cannot reach them',
  },
  words: {
    title: 'Type the six words you hear',
    hint: 'They are English words in every language. Type the first letters and choose; have a word spelt out if you are unsure.',
    label: 'Word {number, number}',
    check: 'Check the words',
    missing: 'Some words are missing. Type all six.',
    unlisted:
      '{count, plural, one {Word {numbers} is not on the list. Have it spelt out.} other {Words {numbers} are not on the list. Have them spelt out.}}',
    mismatch: 'These are not the words of this request',
    slip: 'Perhaps one was misheard. Ask for all six again, slowly, and compare each one.',
    notTheirs:
      'If they still do not match, this link may belong to a request that somebody else made. Then do not confirm.',
    stop: 'Stop here',
    stopBody:
      'The words do not match after several tries. Most likely this request is not the one on the screen of the person you are talking to. Do not confirm it. Ask them to send you the link from their own screen once more.',
    failed: 'The words could not be checked. See whether you are connected, and try again.',
  },
  confirm: {
    title: 'Give {domain} its new key?',
    checked: 'You have spoken with the person behind {domain}, and the six words match.',
    first: 'Yours is the first confirmation. Nothing changes until one more guardian confirms.',
    second:
      'Yours is the second confirmation. The new key counts at once, and the old one stops working. It cannot be taken back.',
    public: 'Your signature becomes part of the public record, for ever. It shows your guardian key, not your name.',
    yes: 'Yes, confirm',
    no: 'No, not now',
    sending: 'Sending',
  },
  done: {
    title: 'You have confirmed',
    standing:
      '{confirmations, number} of {needed, number} guardians have confirmed. The identity gets its new key when one more has.',
    until: 'That is possible until <when>.</when>',
    todo: 'Tell the person behind {domain} that your part is done. They see it on their screen as well.',
    executedTitle: '{domain} has its new key',
    executed: 'Two guardians have confirmed. The old key has stopped working.',
    executedTodo: 'Tell the person behind {domain} that it is done.',
    keep: 'Keep your guardian key where it is. You are still their guardian.',
  },
  stop: {
    title: 'When in doubt, do nothing',
    body: 'Nothing changes without you. The request stays open until <when></when>, and a new one can be made at any time.',
    signs: 'Do not confirm if',
    signReach: 'you cannot reach the person yourself,',
    signVoice: 'the voice or the answers are not right,',
    signHurry: 'somebody urges you not to call, or to be quick,',
    signWords: 'the six words do not match.',
    tell: 'If you think that somebody else is behind this, tell the person behind {domain} and anybody you know to be their guardian.',
    again: 'Back to the request',
  },
  confirmed: {
    title: 'You have confirmed already',
    todo: 'You need not do anything else. If the person behind {domain} still waits, another guardian has to confirm.',
  },
  executed: {
    title: '{domain} has its new key',
    what: 'Two guardians have confirmed this request. There is nothing left to do.',
    todo: 'If you did not confirm and nobody has talked to you about it, call the person behind {domain} and ask whether all is well.',
  },
  closed: {
    title: 'This request is closed',
    what: 'Another request for {domain} was carried out first. This one cannot be confirmed any more.',
    todo: 'If nobody has talked to you about it, call the person behind {domain} and ask whether all is well.',
  },
  expired: {
    title: 'This request has expired',
    what: 'Requests are good for three days, and this one for {domain} is older. Nothing has changed.',
    todo: 'If the person behind {domain} still needs a new key, they can make a new request and send you its link.',
  },
  superseded: {
    title: 'You are not a guardian of {domain} any more',
    what: 'You were removed more than three days ago, so your confirmation does not count.',
    todo: 'If somebody asks you for help all the same, tell them. Other guardians may be able to.',
  },
};
