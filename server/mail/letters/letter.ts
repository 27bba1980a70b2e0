import type { MailKind } from '../mail.ts';

/** What a letter can say. Everything but the words themselves is read when it is sent. */
export interface LetterFacts {
  readonly domain: string;
  /** Fit to be greeted with, or null. */
  readonly name: string | null;
  /** The reader's own link, which works once; with when it ends, in the reader's language. Null where the letter has none. */
  readonly link: { readonly url: string; readonly until: string } | null;
  /** Where anybody can begin a recovery. */
  readonly recoverUrl: string;
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
}

/** All letters of one language. */
export interface Words {
  /** As Intl takes it. */
  readonly locale: string;
  readonly letter: Readonly<Record<MailKind, (facts: LetterFacts) => Omit<Letter, 'greeting' | 'reason'>>>;
  greeting(name: string | null): string;
  reason(domain: string): string;
}

export const text = (words: string): Block => ({ is: 'text', text: words });
export const important = (words: string): Block => ({ is: 'important', text: words });

/** A link with what is said about it; nothing where there is no link. */
export const linked = ({ link }: LetterFacts, label: string, about: (until: string) => string): readonly Block[] =>
  link ? [{ is: 'link', label, url: link.url }, text(about(link.until))] : [];
