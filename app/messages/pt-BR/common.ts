import broken from './broken.ts';

export default {
  close: 'Fechar',
  cancel: 'Cancelar',
  back: 'Voltar',
  next: 'Continuar',
  loading: 'Carregando …',
  more: 'Mostrar mais',
  optional: 'opcional',
  menu: 'Menu',
  copy: 'Copiar: {name}',
  copied: 'Copiado: {name}.',
  refused: 'O navegador não deixou copiar ({name}). Selecione e copie manualmente.',
  leavesThisSite: '(sai deste site)',
  justNow: 'agora mesmo',
  needsScripts:
    'Esta página precisa de JavaScript: sua chave é usada somente no seu navegador, e são os scripts que fazem isso.',
  failed: 'Não deu certo',
  notFound: {
    title: 'Não há nenhuma página aqui',
    body: 'O endereço pode estar digitado errado, ou a página pode ter mudado de lugar.',
    back: 'Ir para a primeira página',
  },
  broken,
  passOn: {
    share: 'Compartilhar',
    copy: 'Copiar o link',
    copied: 'Copiado',
    copiedOf: 'O link foi copiado: {who}.',
    refused: 'O navegador não deixou copiar. Selecione o link acima e copie à mão.',
    qr: 'Código QR',
    hideQr: 'Ocultar o código',
    qrHint: 'Se vocês estão juntos, basta apontar a câmera para ele.',
    qrLabel: 'Código QR do link: {who}',
    qrFailed: 'Não foi possível desenhar o código. Copie o link.',
  },
};
