import broken from './broken.ts';

export default {
  close: 'Cerrar',
  cancel: 'Cancelar',
  back: 'Volver',
  next: 'Continuar',
  loading: 'Cargando …',
  more: 'Mostrar más',
  optional: 'opcional',
  menu: 'Menú',
  copy: 'Copiar: {name}',
  copied: 'Copiado: {name}.',
  refused: 'El navegador no permitió copiar ({name}). Selecciónelo y cópielo a mano.',
  leavesThisSite: '(sale de este sitio)',
  justNow: 'ahora mismo',
  needsScripts:
    'Esta página necesita JavaScript: su clave se usa solo en su navegador, y de eso se encargan los scripts.',
  failed: 'No funcionó',
  notFound: {
    title: 'Aquí no hay ninguna página',
    body: 'Puede que la dirección esté mal escrita o que la página haya cambiado de lugar.',
    back: 'Ir a la primera página',
  },
  broken,
  passOn: {
    share: 'Compartir',
    copy: 'Copiar el enlace',
    copied: 'Copiado',
    copiedOf: 'El enlace está copiado: {who}.',
    refused: 'El navegador no nos ha dejado copiarlo. Seleccione el enlace de arriba y cópielo a mano.',
    qr: 'Código QR',
    hideQr: 'Ocultar el código',
    qrHint: 'Si su guardián está con usted, basta con que apunte la cámara hacia él.',
    qrLabel: 'Código QR del enlace: {who}',
    qrFailed: 'No se ha podido dibujar el código. Copie el enlace.',
  },
};
