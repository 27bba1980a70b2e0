'use client';

import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { NumberedWords } from '../_keys/numbered-words.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Actions, Question } from '../_ui/question.tsx';
import { Confirmations } from '../_ui/shields.tsx';
import { WordsSkeleton } from '../_ui/skeletons.tsx';
import { useLoadAhead } from '../_ui/use-load-ahead.ts';
import { When } from '../_ui/when.tsx';
import { StepLink } from '../_wizard/wizard.tsx';
import type { GuardianLink } from './kept-recovery.ts';
import { LinkCard } from './link-card.tsx';
import type { Waiting } from './recover-flow.ts';
import type { Shown as Around } from './recover-screens.tsx';

const NEEDED = 2;

/** Loaded before the person opens the screen with the words. */
const loadWords = () => import('../_keys/crypto.ts');

type Shown = Around & { waiting: Waiting };

/** A card for each guardian, to pass its link on. */
export function PassOn({ waiting, mails, identity }: Shown & { mails: boolean }) {
  const t = useTranslations('recover.links');
  const words = useTranslations('recover.words');
  const nameOf = useNames();
  const { links } = waiting.kept.request;

  useLoadAhead(loadWords);

  const twice = links.some(({ role }, index) => links.findIndex((other) => other.role === role) < index);
  if (links.length === 0) {
    return (
      <Question title={t('elsewhereTitle')}>
        <Tally waiting={waiting} />
        <p className="text-lg">{t('elsewhere')}</p>
        <Actions>
          <StepLink to="watch">{words('next')}</StepLink>
          <StepLink to="ask" look="secondary">
            {t('again')}
          </StepLink>
        </Actions>
      </Question>
    );
  }
  return (
    <Question title={t('title')}>
      <Tally waiting={waiting} />
      <p className="text-lg">{t('lead')}</p>
      <p className="font-semibold">{t('noWords')}</p>
      {links.map((link, index) => (
        <LinkCard
          key={link.url}
          link={link}
          name={nameOf(links, index)}
          domain={identity.domain}
          status={waiting.links[index]}
        />
      ))}
      <p>{t('who')}</p>
      {twice && <p>{t('twice')}</p>}
      {mails && <p>{t('mailed')}</p>}
      <Actions>
        <StepLink to="words">{t('next')}</StepLink>
        <Button look="secondary" size="large" onClick={() => window.print()}>
          <Printer aria-hidden />
          {t('print')}
        </Button>
      </Actions>
    </Question>
  );
}

/** The words to read out to the guardians. */
export function Words({ waiting, identity }: Shown) {
  const t = useTranslations('recover.words');
  const words = useRecoveryWords(identity.beo_id, waiting.kept.publicKey);
  return (
    <Question title={t('title')}>
      <Tally waiting={waiting} />
      <p className="text-lg">{t('lead')}</p>
      {words === 'broken' && (
        <Alert tone="caution">
          <p>{t('broken')}</p>
        </Alert>
      )}
      {words === null && <WordsSkeleton />}
      {Array.isArray(words) && (
        <NumberedWords
          words={words}
          label={t('title')}
          className="rounded-lg border-2 border-accent bg-surface px-5 py-2 text-2xl *:last:border-0 sm:grid-cols-2 sm:gap-x-8"
        />
      )}
      <p>{t('english')}</p>
      <ul className="list-disc space-y-2 pl-6">
        <li className="font-semibold">{t('voice')}</li>
        <li>{t('back')}</li>
        <li>{t('never')}</li>
      </ul>
      <Actions>
        <StepLink to="watch">{t('next')}</StepLink>
        <StepLink to="links" look="secondary">
          {t('links')}
        </StepLink>
      </Actions>
    </Question>
  );
}

/** The status while the guardians confirm, or how the request ended without them. */
export function Watch(shown: Shown) {
  switch (shown.waiting.status?.kind) {
    case 'expired':
      return <Ended key="expired" {...shown} how="expired" />;
    case 'overtaken':
      return <Ended key="overtaken" {...shown} how="overtaken" />;
    case 'cancelled':
      return <Ended key="cancelled" {...shown} how="cancelled" />;
    case 'destroyed':
      return <Ended key="destroyed" {...shown} how="destroyed" />;
    default:
      return <Open key="open" {...shown} />;
  }
}

function Open({ waiting, identity }: Shown) {
  const t = useTranslations('recover.watch');
  const pass = useTranslations('recover.links');
  const nameOf = useNames();
  const { status, links, unreachable, stored } = waiting;
  const { request } = waiting.kept;
  const open = status?.kind === 'open' ? status : null;
  const given = open?.confirmations ?? 0;
  const { domain } = identity;

  useLoadAhead(loadWords);

  return (
    <Question title={t('title', { given })}>
      <div role="alert" className="space-y-4">
        {open && open.rival > 0 && (
          <Alert tone="danger" title={t('rivalTitle', { domain })}>
            <p>{t('rival', { confirmations: open.rival })}</p>
          </Alert>
        )}
        {open?.keyChanged && (
          <Alert tone="caution" title={t('changedTitle')}>
            <p>{t('changed')}</p>
          </Alert>
        )}
      </div>
      <Confirmations given={given} needed={NEEDED} />
      <p className="text-lg">
        {t.rich('until', { given, needed: NEEDED, when: () => <When at={request.expiresAt} /> })}
      </p>
      <div role="status">
        {unreachable ? (
          <Alert tone="caution">
            <p>{t('unreachable')}</p>
          </Alert>
        ) : (
          <p className="text-muted">{stored ? t('live') : t('stay')}</p>
        )}
      </div>
      {links.some(({ state }) => state === 'confirmed') && (
        <ul className="space-y-1">
          {request.links.map((link, index) => (
            <li key={link.url} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2">
              <span>{nameOf(request.links, index)}</span>
              <span className={links[index]?.state === 'confirmed' ? 'font-semibold text-accent-ink' : 'text-muted'}>
                {links[index]?.state === 'confirmed' ? t('confirmed') : t('notYet')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Actions>
        <StepLink to="words">{t('words')}</StepLink>
        <StepLink to="links" look="secondary">
          {t('links')}
        </StepLink>
      </Actions>
      <h2 className="pt-4">{t('slowTitle')}</h2>
      <ul className="list-disc space-y-2 pl-6">
        <li>{t('slowCall')}</li>
        <li>{t('slowOther')}</li>
        <li>{t('slowKey')}</li>
        <li>{t('slowAgain')}</li>
      </ul>
      <Actions>
        <StepLink to="ask" look="quiet">
          {pass('again')}
        </StepLink>
      </Actions>
    </Question>
  );
}

function Ended({ identity, how }: Shown & { how: 'expired' | 'overtaken' | 'cancelled' | 'destroyed' }) {
  const t = useTranslations('recover.ended');
  const { domain } = identity;
  return (
    <Question title={t(`${how}.title`, { domain })}>
      <p className="text-lg">{t(`${how}.what`, { domain })}</p>
      <p>{t(`${how}.todo`)}</p>
      {how === 'overtaken' && <p>{t('overtaken.stranger')}</p>}
      <Actions>
        {how !== 'destroyed' && <StepLink to="ask">{t('again')}</StepLink>}
        {how === 'overtaken' && (
          <StepLink to="open" look="secondary">
            {t('overtaken.open')}
          </StepLink>
        )}
      </Actions>
    </Question>
  );
}

/** The number of confirmations, at the top of each screen. */
function Tally({ waiting: { status, unreachable } }: Pick<Shown, 'waiting'>) {
  const t = useTranslations('recover.watch');
  if (status?.kind !== 'open') return null;
  return (
    <p className="font-semibold text-accent-ink print:hidden">
      {unreachable ? t('unreachable') : t('tally', { given: status.confirmations, needed: NEEDED })}
    </p>
  );
}

/** Names a guardian by role; a second guardian of a role was replaced and is still eligible. */
function useNames() {
  const t = useTranslations('recover.links');
  return (links: readonly GuardianLink[], index: number): string => {
    const role = links[index]?.role ?? 'primary';
    const before = links.slice(0, index).filter((other) => other.role === role).length;
    return before === 0 ? t(`role.${role}`) : t('another', { role, number: before + 1 });
  };
}

function useRecoveryWords(beoId: string, publicKey: string): readonly string[] | 'broken' | null {
  const [words, setWords] = useState<readonly string[] | 'broken' | null>(null);

  useEffect(() => {
    let cancelled = false;
    loadWords().then(
      ({ recoveryWords }) => cancelled || setWords(recoveryWords(beoId, publicKey)),
      () => cancelled || setWords('broken'),
    );
    return () => {
      cancelled = true;
    };
  }, [beoId, publicKey]);

  return words;
}
