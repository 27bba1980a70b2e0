import { translator } from '../../_i18n/translator.ts';
import { Alert } from '../../_ui/alert.tsx';

/** Is shown where scripts are needed and do not run. */
export async function NeedsScripts() {
  const t = await translator('common');
  return (
    <div className="page hidden pt-4 unscripted:block">
      <Alert tone="caution">
        <p>{t('needsScripts')}</p>
      </Alert>
    </div>
  );
}
