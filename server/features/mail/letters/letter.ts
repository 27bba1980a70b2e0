/**
 * The variable content of a letter. It contains no text chosen by the person who causes the mail, such as a name or a
 * domain: it goes to strangers and would carry advertising. The page behind the link shows the identity.
 */
export interface LetterFacts {
  /** The reader's own link, and its end in the reader's language; null if the letter has none. */
  readonly link: { readonly url: string; readonly until: string } | null;
  /** The public page of the identity. */
  readonly identityUrl: string;
  /** The page that starts a recovery. */
  readonly recoverUrl: string;
  /** The first page of the service, without a slash at its end. */
  readonly publicUrl: string;
  /** Of an alert, whose reader confirmed the address: the identity, and when it happened. Null in a mail to a guardian. */
  readonly alert: { readonly domain: string; readonly at: string } | null;
  /** The page to unsubscribe from all mail. */
  readonly unsubscribeUrl: string;
}

export type Block =
  | { readonly is: 'text'; readonly text: string }
  /** Emphasized. */
  | { readonly is: 'important'; readonly text: string }
  | { readonly is: 'link'; readonly label: string; readonly url: string };

export interface Letter {
  readonly subject: string;
  readonly greeting: string;
  readonly blocks: readonly Block[];
  /** Why the reader receives this: a notice of the service, not advertising. */
  readonly reason: string;
  readonly unsubscribe: { readonly label: string; readonly url: string };
}
