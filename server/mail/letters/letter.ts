import type { MailKind } from '../mail.ts';

/**
 * What a letter can say. Nothing in it was chosen by whoever causes the mail, no name and no domain: it goes to people who may
 * never have heard of them, and would carry an advertisement. The page behind a link shows whom it is about.
 */
export interface LetterFacts {
  /** The reader's own link, which works once; with when it ends, in the reader's language. Null where the letter has none. */
  readonly link: { readonly url: string; readonly until: string } | null;
  /** The public page of the identity. */
  readonly identityUrl: string;
  /** Where anybody can begin a recovery. */
  readonly recoverUrl: string;
  /** Where the reader can say that they want no more mail. */
  readonly unsubscribeUrl: string;
}

export type Block =
  | { readonly is: 'text'; readonly text: string }
  /** What must not be read over. */
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

/** All letters of one language. */
export interface Words {
  /** As Intl takes it. */
  readonly locale: string;
  readonly letter: Readonly<
    Record<MailKind, (facts: LetterFacts) => Omit<Letter, 'greeting' | 'reason' | 'unsubscribe'>>
  >;
  readonly greeting: string;
  readonly reason: string;
  readonly unsubscribe: string;
}

export const text = (words: string): Block => ({ is: 'text', text: words });
export const page = (label: string, url: string): Block => ({ is: 'link', label, url });
export const important = (words: string): Block => ({ is: 'important', text: words });

/** A link with what is said about it; nothing where there is no link. */
export const linked = ({ link }: LetterFacts, label: string, about: (until: string) => string): readonly Block[] =>
  link ? [page(label, link.url), text(about(link.until))] : [];
