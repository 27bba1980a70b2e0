'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { BiomarkerNames } from '../../messages/messages.ts';
import { Alert } from '../_ui/alert.tsx';
import { Screen } from '../_ui/screen.tsx';
import { OpenForm } from './open-form.tsx';
import { canDecrypt, readLink, type SharedFile } from './open-link.ts';
import { PasteForm } from './paste-form.tsx';

export interface OpenedShare {
  readonly files: readonly SharedFile[];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly names: BiomarkerNames;
  onClose(): void;
}

/** A share that was opened, with the part of the page that shows it, which is loaded before the link is opened. */
export interface OpenedLink {
  readonly Opened: ComponentType<OpenedShare>;
  readonly files: readonly SharedFile[];
  readonly at: number;
}

/** Asks for a link, opens it, and shows its content. The content stays in the memory of this tab. */
export function Viewer({ names }: { names: BiomarkerNames }) {
  const t = useTranslations('view');
  const [text, setText] = useText();
  const [shown, setShown] = useState<OpenedLink | null>(null);
  const [isUsable, setUsable] = useState(true);
  useEffect(() => setUsable(canDecrypt()), []);
  // A link in the address takes the place of what is shown.
  useEffect(() => {
    if (text) setShown(null);
  }, [text]);
  // Another language would load the page again, and what is shown would be gone.
  useEffect(() => {
    const languages = document.getElementById('languages');
    if (languages) languages.hidden = shown !== null;
  }, [shown]);

  if (shown) {
    const { Opened, files, at } = shown;
    return <Opened files={files} at={at} names={names} onClose={() => setShown(null)} />;
  }
  const link = text ? readLink(text) : null;
  const isReadable = typeof link === 'object' && link !== null;
  return (
    <Screen title={t(isReadable ? 'open.title' : 'title')} heading="h1" focus={false} className="max-w-form space-y-5">
      {!isUsable && (
        <Alert tone="danger" title={t('problem.browser.title')}>
          <p>{t('problem.browser.body')}</p>
        </Alert>
      )}
      {typeof link === 'string' && (
        <Alert tone="danger" title={t(`problem.${link}.title`)}>
          <p>{t(`problem.${link}.body`)}</p>
        </Alert>
      )}
      {isReadable ? (
        <OpenForm
          key={text}
          link={link}
          onShown={(opened) => {
            // Neither the history nor a reload of this tab has the key any more.
            window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}`);
            setText('');
            setShown(opened);
          }}
        />
      ) : (
        <PasteForm onLink={setText} />
      )}
    </Screen>
  );
}

/** The link after `#`; null until the scripts run, empty without one. */
function useText(): [string | null, (text: string) => void] {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setText(decoded(window.location.hash.slice(1)));
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return [text, setText];
}

/** Some programs encode what follows `#`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
