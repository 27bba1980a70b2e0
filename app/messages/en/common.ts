import broken from './broken.ts';

/** What every page may say. */
export default {
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  next: 'Continue',
  loading: 'Loading …',
  more: 'Show more',
  optional: 'optional',
  menu: 'Menu',
  copy: 'Copy the {name}',
  copied: 'The {name} is copied.',
  refused: 'The browser did not let us copy the {name}. Select it and copy it by hand.',
  leavesThisSite: '(leaves this site)',
  justNow: 'just now',
  needsScripts: 'This page needs JavaScript: your key is used in your browser only, and scripts do that.',
  failed: 'That did not work',
  notFound: {
    title: 'There is no page here',
    body: 'The address may be mistyped, or the page may have moved.',
    back: 'Go to the first page',
  },
  broken,
  passOn: {
    share: 'Share',
    copy: 'Copy the link',
    copied: 'Copied',
    copiedOf: 'The link is copied: {who}.',
    refused: 'The browser did not let us copy it. Select the link above and copy it by hand.',
    qr: 'QR code',
    hideQr: 'Hide the code',
    qrHint: 'If you are together, let them point their camera at it.',
    qrLabel: 'QR code of the link: {who}',
    qrFailed: 'The code could not be drawn. Copy the link instead.',
  },
};
