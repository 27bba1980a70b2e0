import type { Metadata } from 'next';
import { readSubscription } from '../../../../server/features/mail/opt-outs.ts';
import { getContext } from '../../../../server/http/context.ts';
import { setPageStatus } from '../../../../server/http/rest/page-status.ts';
import { publicError } from '../../../../server/http/trpc/trpc-errors.ts';
import { requestLocale } from '../../../_i18n/request-locale.ts';
import { Translated } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { Button } from '../../../_ui/button.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { LinkApart } from '../../../_ui/pictures/link-apart.tsx';

type UnsubscribePageProps = { params: Promise<{ token: string }> };

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('mail'))('title'));

/** The page of the unsubscribe link in mails. Reading it changes nothing: link scanners follow links too. */
export default async function UnsubscribePage({ params }: UnsubscribePageProps) {
  const { token } = await params;
  const state = await stateOf(token);
  setPageStatus({ subscribed: 200, unsubscribed: 200, unknown: 404, busy: 503 }[state]);
  const t = await translator('mail');
  return <Translated namespaces={[]}>{await shown()}</Translated>;

  async function shown() {
    switch (state) {
      case 'subscribed':
        return (
          <Notice title={t('stopTitle')}>
            <p className="text-lg">{t('stopWhat')}</p>
            <p>{t('stopKnow')}</p>
            <Press to={await addressOf('unsubscribe', token)} label={t('stop')} />
          </Notice>
        );
      case 'unsubscribed':
        return (
          <Notice title={t('stoppedTitle')}>
            <p className="text-lg">{t('stoppedWhat')}</p>
            <p>{t('stoppedKnow')}</p>
            <Press to={await addressOf('resubscribe', token)} label={t('resume')} look="secondary" />
          </Notice>
        );
      case 'unknown':
        return (
          <Notice title={t('unknownTitle')} picture={<LinkApart className="w-48" />}>
            <p>{t('unknownWhat')}</p>
            <p>{t('unknownTodo')}</p>
          </Notice>
        );
      case 'busy':
        return (
          <Notice title={t('busyTitle')}>
            <p>{t('busyWhat')}</p>
          </Notice>
        );
    }
  }
}

type State = 'subscribed' | 'unsubscribed' | 'unknown' | 'busy';

async function stateOf(token: string): Promise<State> {
  try {
    return (await readSubscription(getContext(), token)) ? 'subscribed' : 'unsubscribed';
  } catch (failure) {
    const { code } = publicError(failure);
    if (code === 'LINK_NOT_FOUND') return 'unknown';
    if (code === 'UNAVAILABLE') return 'busy';
    throw failure;
  }
}

const addressOf = async (action: 'unsubscribe' | 'resubscribe', token: string): Promise<string> =>
  `/api/mail/${action}/${token}?lang=${await requestLocale()}`;

/** One button, which works without scripts. */
function Press({ to, label, look }: { to: string; label: string; look?: 'secondary' }) {
  return (
    <form method="post" action={to} className="pt-2">
      <Button type="submit" size="large" look={look}>
        {label}
      </Button>
    </form>
  );
}
