/** A page that failed. */
export default {
  title: 'This page could not be shown',
  body: 'Something went wrong on our side. Nothing was changed by it.',
  reference: 'Quote this reference when you ask about it:',
  retry: 'Try again',
};
