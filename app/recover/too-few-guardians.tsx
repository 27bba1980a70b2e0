import { translator } from '../_i18n/translator.ts';
import { Button } from '../_ui/button.tsx';
import { Notice, Todo } from '../_ui/notice.tsx';
import type { Situation } from './situation.ts';

type TooFewGuardiansProps = { situation: Extract<Situation, { kind: 'tooFewGuardians' }>; startHref: string };

/** Fewer than two guardians are eligible: what that means, and what can still be done. */
export async function TooFewGuardians({ situation, startHref }: TooFewGuardiansProps) {
  const t = await translator('recover');
  const { identity, guardians, pending } = situation;
  const { domain } = identity;
  return (
    <Notice title={t('helpless.title', { domain })}>
      <p className="text-lg">{t('helpless.what', { guardians })}</p>
      <p>{t('helpless.eligible')}</p>
      <Todo title={t('helpless.todo')}>
        <ul className="list-disc space-y-3 pl-6">
          {pending && <li>{t('helpless.pending')}</li>}
          <li>{t('helpless.look')}</li>
          <li>{t('helpless.devices')}</li>
        </ul>
      </Todo>
      <p>{t('helpless.otherwise')}</p>
      <div className="flex flex-col items-stretch gap-3 pt-3 sm:items-start">
        <Button asChild size="large">
          <a href={`${startHref}${startHref.includes('?') ? '&' : '?'}domain=${encodeURIComponent(domain)}&step=open`}>
            {t('found.haveKey')}
          </a>
        </Button>
        <Button asChild look="quiet">
          <a href={startHref}>{t('found.another')}</a>
        </Button>
      </div>
    </Notice>
  );
}
