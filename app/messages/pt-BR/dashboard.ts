export default {
  opening:
    'Procurando sua identidade neste navegador. O que é público sobre ela aparece logo; sua chave só é pedida quando algo precisa ser assinado.',
  state: { ACTIVE: 'Ativa', LOCKED: 'Bloqueada', SUSPENDED: 'Suspensa', REVOKED: 'Revogada', DESTROYED: 'Destruída' },
  lockIt: {
    title: 'Bloquear {domain} agora?',
    holder:
      'A partir deste momento ninguém pode ler nem acrescentar registros, e nenhum consentimento novo pode ser dado, até você desbloquear. Faça isto se achar que outra pessoa tem sua chave.',
    institution:
      'A partir deste momento a instituição não pode enviar nem ler, e não recebe consentimentos, até você desbloquear.',
    yes: 'Bloquear agora',
    no: 'Não bloquear',
  },
  unlockIt: {
    title: 'Desbloquear {domain}?',
    holder: 'Os consentimentos em vigor voltam a valer a partir deste momento.',
    institution: 'A instituição volta a poder enviar e ler a partir deste momento.',
    yes: 'Desbloquear',
    no: 'Deixar bloqueada',
  },
  institutionState: {
    LOCKED: { title: '{domain} está bloqueada', body: 'Ela não pode enviar nem ler até você desbloquear.' },
    SUSPENDED: {
      title: 'O instituto suspendeu {domain}',
      body: 'Ela não pode enviar, ler nem receber consentimentos. Você ainda pode trocar a chave ou destruí-la.',
    },
    REVOKED: { title: 'O instituto revogou {domain}', body: 'Isso é definitivo. Os consentimentos dela terminaram.' },
  },
  nav: 'Suas páginas',
  switch: 'Trocar de identidade',
  emergencyLock: 'Bloquear',
  unlock: 'Desbloquear',
  more: 'Mais',
  holder: {
    overview: 'Visão geral',
    consents: 'Consentimentos',
    records: 'Registros',
    guardians: 'Guardiões',
    access: 'Acessos',
    export: 'Exportar',
    safety: 'Chave e segurança',
  },
  institution: {
    overview: 'Visão geral',
    consents: 'Consentimentos',
    submit: 'Enviar',
    read: 'Ler',
    export: 'Exportar',
    settings: 'Configurações',
  },
  nobody: {
    title: 'Primeiro abra sua chave',
    body: 'Este navegador ainda não conhece sua identidade. Traga a chave ou crie uma identidade.',
    signIn: 'Entrar',
    create: 'Criar uma identidade',
    register: 'Cadastrar uma instituição',
  },
  backup: {
    title: 'Esta chave ainda não tem cópia',
    body: 'Se este navegador a esquecer, ninguém poderá trazê-la de volta.',
    action: 'Fazer uma cópia agora',
  },
  locked: {
    title: '{domain} está bloqueada',
    holder:
      'Ninguém pode usar um consentimento nem mudar nada até você desbloquear. Você ainda pode retirar consentimentos, trocar a chave ou destruir a identidade.',
  },
  recovery: {
    title: 'Alguém está recuperando {domain} com outra chave',
    body: '{given} de {needed} guardiões confirmaram. Se não é você, ligue para seus guardiões agora.',
    action: 'O que você pode fazer',
  },
  otherKey: {
    title: 'A chave neste navegador já não é a chave de {domain}',
    body: 'Ela foi trocada, ou a identidade foi recuperada, em outro lugar. Traga a chave nova.',
    action: 'Trazer a chave nova',
  },
  destroyed: {
    title: '{domain} foi destruída',
    body: 'A chave não assina mais nada.',
    forget: 'Esquecer neste navegador',
  },
  unreachable:
    'Não foi possível falar com o servidor. O que você vê pode estar desatualizado; esta página tenta de novo sozinha.',
};
