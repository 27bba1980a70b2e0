import { important, type LetterFacts, linked, page, text, type Words } from './letter.ts';

const GUARDIANS =
  'Guardians are people somebody trusts. If that person ever loses the key to their identity, two of their guardians together can move it to a new key. One alone can do nothing, none of them sees anything private, and it costs you nothing.';
const HOW =
  'Open your link to see who asks: our mails never show a name that somebody else has chosen. If you know who it is and would like to help, it takes a few minutes. Your browser makes a key for you, and you keep a copy of it.';
const CARE =
  'We never ask for your 24 words or your passphrase: not by mail, not by message and not by phone. Please tell them to nobody.';
const CARE_ON_PAGE =
  'We never ask for your 24 words or your passphrase: not by mail, not by message and not by phone. If the page needs them to open your key, they stay in your browser.';
const STAY_ON_THE_PHONE =
  'If they did ask for it, stay on the phone. They read you six words, you type them on the page, and you confirm with your guardian key.';
const WHICH = 'See which identity it is';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'See who asks, and decide',
    (until) => `The link works until ${until}. It is meant for you alone: please do not pass it on.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(
    facts,
    WHICH,
    (until) => `The link works until ${until}. It is meant for you alone: please do not pass it on.`,
  );

export const en: Words = {
  locale: 'en-GB',
  greeting: 'Hello,',
  reason:
    'You get this mail because somebody named this address as one of their guardians’. It is a notice about this one matter, not advertising.',
  unsubscribe: 'Get no more mail from us',
  letter: {
    invitation: (facts) => ({
      subject: 'Would you be somebody’s guardian?',
      blocks: [
        text('Somebody gave us this address and would like you to be one of the guardians of their identity.'),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text(
          'If you have no idea who this could be, ask the people close to you, or leave this mail unanswered. Nothing happens then.',
        ),
        text(CARE),
      ],
    }),
    reminder: (facts) => ({
      subject: 'Reminder: would you be somebody’s guardian?',
      blocks: [
        text(
          'Two days ago we wrote to you because somebody would like you to be one of the guardians of their identity. They have no answer yet.',
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('If you would rather not, you need do nothing. We will not remind you again.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: 'A request to recover an identity you guard',
      blocks: [
        text(
          'You are a guardian of an identity. Somebody asks to move it to a new key: perhaps the person you know, who has lost theirs; perhaps somebody who pretends to be that person. You can find out, we cannot. Your link shows which identity it is.',
        ),
        ...confirm(facts),
        important(
          'Before you confirm anything, call the person yourself, on a number you already know. Do not rely on a mail or a message, and do not call a number that somebody has sent you.',
        ),
        text(STAY_ON_THE_PHONE),
        text(
          'If they did not ask for it, or you cannot reach them, confirm nothing: without two guardians nothing changes. And if it was not them, let them know, so that they can warn their other guardians.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: 'A guardian has confirmed a recovery',
      blocks: [
        text(
          'You are a guardian of an identity. Another of its guardians has confirmed that it should move to a new key. It takes two confirmations, so one more is enough, and that could be yours.',
        ),
        ...(facts.link ? confirm(facts) : [page(WHICH, facts.identityUrl)]),
        important('If you have not spoken with the person yet, call them now, yourself, on a number you already know.'),
        text(
          facts.link
            ? STAY_ON_THE_PHONE
            : 'If they did ask for it, they have a link for you, and six words to read to you on the phone.',
        ),
        text(
          'If they did not ask for it, confirm nothing, and let them know at once, so that they can warn their other guardians.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: 'An identity you guard has been recovered',
      blocks: [
        text(
          'You are a guardian of an identity. Two of its guardians have confirmed its recovery, and it now belongs to a new key. The old key no longer works.',
        ),
        page(WHICH, facts.identityUrl),
        text('You need do nothing. Your own guardian key stays as it is: keep your copy of it.'),
        important(
          `If this is news to you, call the person yourself, on a number you already know. If they did not ask for it, somebody else controls the identity now. The person you know can ask for a recovery of their own at once, at ${facts.recoverUrl}, and for 24 hours nobody can replace the guardians.`,
        ),
        text(CARE),
      ],
    }),
  },
};
