import type english from '../en/shell.ts';

export default {
  skip: 'Pular para o conteúdo',
  home: 'Perpetua, ir para a página inicial',
  nav: 'Por toda parte',
  explore: 'Explorar',
  signIn: 'Entrar',
  language: 'Idioma',
  useDarkTheme: 'Usar o tema escuro',
  useLightTheme: 'Usar o tema claro',
  devnet: { short: 'Não permanente', long: 'Rede de teste, não permanente' },
  arweave: { short: 'Arweave', long: 'Arweave, permanente' },
  footer: {
    machines: 'Para máquinas e quem cuida delas',
    ledger: 'Topo do registro',
    entries: 'Todas as entradas do registro',
    ready: 'Prontidão',
    health: 'Saúde do serviço',
    about: 'Antes de assinar',
    public: 'O que é público e o que não é',
    recover: 'Perdeu sua chave?',
    version: 'Versão {version}',
    nothingElse: 'Esta página não usa cookies e não pede nada a nenhum outro servidor.',
  },
} satisfies typeof english;
