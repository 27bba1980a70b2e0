/**
 * What a letter can contain. Nothing in it was chosen by whoever causes the mail, no name and no domain: it goes to people who may
 * never have heard of them, and would carry an advertisement. The page behind a link shows whom it is about.
 */
export interface LetterFacts {
  /** The reader's own link, which works once; with when it ends, in the reader's language. Null where the letter has none. */
  readonly link: { readonly url: string; readonly until: string } | null;
  /** The public page of the identity. */
  readonly identityUrl: string;
  /** Where anybody can begin a recovery. */
  readonly recoverUrl: string;
  /** Where the reader can unsubscribe from all mail. */
  readonly unsubscribeUrl: string;
}

export type Block =
  | { readonly is: 'text'; readonly text: string }
  /** Shown so that nobody overlooks it. */
  | { readonly is: 'important'; readonly text: string }
  | { readonly is: 'link'; readonly label: string; readonly url: string };

export interface Letter {
  readonly subject: string;
  readonly greeting: string;
  readonly blocks: readonly Block[];
  /** Why the reader gets this, and that it is a notice of the service, not advertising. */
  readonly reason: string;
  readonly unsubscribe: { readonly label: string; readonly url: string };
}
