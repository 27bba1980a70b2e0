import { important, type LetterFacts, linked, text, type Words } from './letter.ts';

const GUARDIANS =
  'Guardians are people somebody trusts. If that person ever loses the key to their identity, two of their guardians together can move it to a new key. One alone can do nothing, none of them sees anything private, and it costs you nothing.';
const HOW =
  'If you know who this is and would like to help, open your link. It takes a few minutes: your browser makes a key for you, and you keep a copy of it.';
const CARE =
  'We never ask for your 24 words or your passphrase: not by mail, not by message and not by phone. Please tell them to nobody.';
const CARE_ON_PAGE =
  'We never ask for your 24 words or your passphrase: not by mail, not by message and not by phone. If the page needs them to open your key, they stay in your browser.';

const decide = (facts: LetterFacts) =>
  linked(
    facts,
    'Read more and decide',
    (until) => `The link works until ${until}. It is meant for you alone: please do not pass it on.`,
  );
const confirm = (facts: LetterFacts) =>
  linked(
    facts,
    'Open with the person on the phone',
    (until) => `The link works until ${until}. It is meant for you alone: please do not pass it on.`,
  );

export const en: Words = {
  locale: 'en-GB',
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  reason: (domain) =>
    `You get this mail because ${domain} named this address as one of its guardians’. It is a notice about this one matter, not advertising.`,
  letter: {
    invitation: (facts) => ({
      subject: `Will you be a guardian of ${facts.domain}?`,
      blocks: [
        text(`The person behind ${facts.domain} gave us this address and would like you to be one of their guardians.`),
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
      subject: `Reminder: will you be a guardian of ${facts.domain}?`,
      blocks: [
        text(
          `Two days ago we wrote to you because the person behind ${facts.domain} would like you to be one of their guardians. They have no answer yet.`,
        ),
        text(GUARDIANS),
        text(HOW),
        ...decide(facts),
        text('If you would rather not, you need do nothing. We will not remind you again.'),
        text(CARE),
      ],
    }),
    recovery: (facts) => ({
      subject: `A request to recover ${facts.domain}`,
      blocks: [
        text(
          `You are a guardian of ${facts.domain}. Somebody asks to move this identity to a new key: perhaps the person you know, who has lost theirs; perhaps somebody who pretends to be that person. You can find out, we cannot.`,
        ),
        important(
          'Before you open the link, call the person yourself, on a number you already know. Do not rely on a mail or a message, and do not call a number that somebody has sent you.',
        ),
        text(
          'If they did ask for it, stay on the phone and open your link. They read you six words, you type them, and you confirm with your guardian key.',
        ),
        ...confirm(facts),
        text(
          'If they did not ask for it, or you cannot reach them, confirm nothing: without two guardians nothing changes. And if it was not them, let them know, so that they can warn their other guardians.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    confirmed: (facts) => ({
      subject: `A guardian has confirmed the recovery of ${facts.domain}`,
      blocks: [
        text(
          `You are a guardian of ${facts.domain}. Another of its guardians has confirmed that it should move to a new key. It takes two confirmations, so one more is enough, and that could be yours.`,
        ),
        important('If you have not spoken with the person yet, call them now, yourself, on a number you already know.'),
        text(
          facts.link
            ? 'If they did ask for it, stay on the phone and open your link. They read you six words, you type them, and you confirm with your guardian key.'
            : 'If they did ask for it, they have a link for you, and six words to read to you on the phone.',
        ),
        ...confirm(facts),
        text(
          'If they did not ask for it, confirm nothing, and let them know at once, so that they can warn their other guardians.',
        ),
        text(CARE_ON_PAGE),
      ],
    }),
    recovered: (facts) => ({
      subject: `${facts.domain} has been recovered`,
      blocks: [
        text(
          `You are a guardian of ${facts.domain}. Two of its guardians have confirmed its recovery, and it now belongs to a new key. The old key no longer works.`,
        ),
        text('You need do nothing. Your own guardian key stays as it is: keep your copy of it.'),
        important(
          `If this is news to you, call the person yourself, on a number you already know. If they did not ask for it, somebody else controls the identity now. The person you know can ask for a recovery of their own at once, at ${facts.recoverUrl}, and for 24 hours nobody can replace the guardians.`,
        ),
        text(CARE),
      ],
    }),
  },
};
