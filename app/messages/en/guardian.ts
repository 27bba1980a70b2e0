/** What the pages of guardian links share. */
export default {
  step: 'Step {step, number} of {steps, number}',
  titleOfStep: '{title} ({step, number} of {steps, number})',
  back: 'Back',
  continue: 'Continue',
  todo: 'What you can do',
  print: 'Print this page',
  role: { primary: 'first guardian', secondary: 'second guardian', tertiary: 'third guardian' },
  noScripts: {
    title: 'This step needs JavaScript',
    body: 'Your key is made and used in this browser, and never leaves it. That takes JavaScript. Turn it on, or open the link on another device; nothing is lost.',
  },
  unknown: {
    title: 'This link is not known here',
    what: 'Part of it may have been lost when it was copied or passed on, or it is more than a month old. Nothing has happened.',
    todo: 'Open it straight from the message it came in. If that does not help, ask the person who sent it to send it again.',
  },
  destroyed: {
    title: 'This identity no longer exists',
    what: 'Its holder has ended it for good, and this link with it. Nothing has happened to your key.',
    todo: 'You need not do anything. If this surprises you, call the person who sent you the link.',
  },
  restored: {
    title: 'This link is from before the service was rebuilt',
    what: 'The service was rebuilt from its public record, which holds no links. Nothing has happened, and whoever was a guardian still is.',
    todo: 'Ask the person who sent you the link for a new one.',
  },
  busy: {
    title: 'The service is busy',
    what: 'It cannot look up your link at the moment. Nothing has happened, and the link is still good.',
    todo: 'Wait a minute, then open the link again.',
  },
  broken: {
    title: 'This page could not be shown',
    body: 'Something went wrong on our side. Nothing was changed by it, and your link is still good.',
    reference: 'Quote this reference when you ask about it:',
    retry: 'Try again',
  },
  failed: 'That did not work',
  errors: {
    UNREACHABLE:
      'The server could not be reached, or its answer did not reach you. Check your connection and try again: nothing is done twice. Your key is safe.',
    UNAVAILABLE: 'The service is busy at the moment. Wait a minute and try again. Your key is safe.',
    RATE_LIMITED: 'Too many requests came from your network. Wait a minute and try again. Your key is safe.',
    INTERNAL: 'Something went wrong on our side. Nothing was changed. Try again in a minute.',
    TIMESTAMP: 'The clock of this device is wrong. Set the date and time, and try again. Your key is safe.',
    LINK_NOT_FOUND: 'This link is not known any more. Ask the person who sent it for a new one.',
    LINK_EXPIRED: 'This link has ended in the meantime. Ask the person who sent it for a new one.',
    LINK_USED: 'This link has been used in the meantime, and not with your key.',
    BEO_LOCKED: 'The identity has been locked in the meantime. Ask its holder to unlock it, then try again.',
    BEO_DESTROYED: 'The identity has been ended in the meantime. There is nothing left to do.',
    PUBLIC_KEY_TAKEN:
      'This key already stands for somebody else in this identity. Each guardian needs a key of their own.',
    INVALID_SIGNATURE: 'The server expected the signature of another key. Open the key you were invited with.',
    REQUEST_CLOSED: 'This request has been closed in the meantime.',
    ALREADY_CONFIRMED: 'You have confirmed this request already.',
    OTHER: 'The server did not take it ({code}). Nothing was changed. Try again, or ask the person who sent the link.',
  },
};
