import type { Metadata } from 'next';
import { type AddressLink, readAddressLink } from '../../../../server/features/alerts/address-link.ts';
import { getContext } from '../../../../server/http/context.ts';
import { setPageStatus } from '../../../../server/http/rest/page-status.ts';
import { publicError } from '../../../../server/http/trpc/trpc-errors.ts';
import { Translated } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { Button } from '../../../_ui/button.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { LinkApart } from '../../../_ui/pictures/link-apart.tsx';

type ConfirmPageProps = { params: Promise<{ token: string }> };

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('alerts'))('link.title'));

/** The page of the link in the mail to a new address. Reading it changes nothing: link scanners follow links too. */
export default async function ConfirmAddressPage({ params }: ConfirmPageProps) {
  const { token } = await params;
  const link = await readLink(token);
  if (typeof link === 'string') setPageStatus(link === 'unknown' ? 404 : 503);
  const t = await translator('alerts');
  return (
    <Translated namespaces={[]}>
      {link === 'unknown' ? (
        <Notice title={t('link.unknownTitle')} picture={<LinkApart className="w-48" />}>
          <p>{t('link.unknownWhat')}</p>
          <p>{t('link.unknownTodo')}</p>
        </Notice>
      ) : link === 'busy' ? (
        <Notice title={t('link.busyTitle')}>
          <p>{t('link.busyWhat')}</p>
        </Notice>
      ) : link.confirmed ? (
        <Notice title={t('link.doneTitle', { domain: link.beo_domain })}>
          <p className="text-lg">{t('link.doneWhat')}</p>
        </Notice>
      ) : (
        <Notice title={t('link.askTitle', { domain: link.beo_domain })}>
          <p className="text-lg">{t('link.askWhat')}</p>
          <p>{t('link.askUnknown')}</p>
          <form method="post" action={`/api/alerts/confirm/${token}`} className="pt-2">
            <Button type="submit" size="large">
              {t('link.confirm')}
            </Button>
          </form>
        </Notice>
      )}
    </Translated>
  );
}

async function readLink(token: string): Promise<AddressLink | 'unknown' | 'busy'> {
  try {
    return await readAddressLink(getContext(), token);
  } catch (failure) {
    const { code } = publicError(failure);
    if (code === 'LINK_NOT_FOUND') return 'unknown';
    if (code === 'UNAVAILABLE') return 'busy';
    throw failure;
  }
}
