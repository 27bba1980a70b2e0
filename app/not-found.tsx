import { translator } from './_i18n/translator.ts';
import { Button } from './_ui/button.tsx';
import { LocalLink } from './_ui/local-link.tsx';
import { LinkApart } from './_ui/pictures/link-apart.tsx';

export default async function NotFound() {
  const t = await translator('common');
  return (
    <div className="page py-10 sm:py-20">
      <LinkApart className="mb-4 w-48" />
      <h1>{t('notFound.title')}</h1>
      <p className="mt-4 mb-8 max-w-form text-lg text-muted">{t('notFound.body')}</p>
      <Button asChild>
        <LocalLink href="/">{t('notFound.back')}</LocalLink>
      </Button>
    </div>
  );
}
