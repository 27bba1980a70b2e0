'use client';

import { deferred } from '../../_ui/deferred.tsx';

/** Loaded once the person begins to use the page. */
export const loadForgetDialog = async () => (await import('./forget-dialog.tsx')).ForgetDialog;
export const ForgetDialog = deferred(loadForgetDialog);
