import type english from '../en/overview.ts';

export default {
  title: 'Visão geral',
  matters: 'O que importa agora',
  calm: 'No momento, nada precisa de você.',
  mattersMore: '{count, plural, one {Mostrar mais um} other {Mostrar mais #}}',
  unknown: 'Não foi possível consultar tudo. Esta página tenta de novo sozinha.',
  role: { primary: 'seu primeiro guardião', secondary: 'seu segundo guardião', tertiary: 'seu terceiro guardião' },
  matter: {
    recovery: {
      title: 'Veja a recuperação agora',
      body: '{missing, plural, =0 {Outra chave assume a qualquer momento} one {Mais uma confirmação e outra chave assume} other {Mais # confirmações e outra chave assume}}, e a sua deixa de funcionar. O pedido fica aberto até <when>.</when>',
      action: 'O que fazer',
    },
    locked: {
      title: 'Sua identidade está bloqueada',
      body: 'Você a bloqueou em <when>.</when> Se outra pessoa pode ter sua chave, troque a chave primeiro e só depois desbloqueie.',
      action: 'Trocar a chave',
    },
    confirm: {
      title: '{count, plural, one {Um guardião aceitou} other {# guardiões aceitaram}}',
      body: '{count, plural, one {Ligue para a pessoa, compare as palavras e confirme.} other {Ligue para cada pessoa, compare as palavras e confirme.}}',
      action: 'Comparar as palavras',
    },
    unready: {
      off: 'A recuperação está desligada',
      none: 'Se você perdesse a chave hoje, ninguém poderia ajudar',
      one: 'Falta mais um guardião',
      body: '{readiness, select, off {Seus guardiões não podem ajudar até você ligar a recuperação.} one {São necessários dois guardiões que contem para dar uma chave nova à sua identidade.} other {Dois guardiões que contem podem dar uma chave nova à sua identidade. Você ainda não tem nenhum.}}',
      action: 'Ver seus guardiões',
    },
    linkEnds: {
      title: 'Um convite está para vencer',
      body: 'O link de {role} vale até <when>.</when>',
      action: 'Ver o convite',
    },
    lapsed: {
      title: 'Um convite venceu',
      body: 'Ninguém aceitou a tempo o link de {role}.',
      action: 'Convidar de novo',
    },
    consentEnds: {
      title: 'O consentimento para {name} termina em breve',
      body: 'Ele termina em <when></when>, e para isso não é preciso fazer nada.',
      action: 'Ver o consentimento',
    },
    wide: {
      title: '{name} pode ler tudo, sem data para acabar',
      body: 'Um consentimento não pode ir mais longe que isso. Ainda é o que você quer?',
      action: 'Ver o consentimento',
    },
  },
  first: {
    title: 'Sua identidade está pronta. Dois primeiros passos',
    guardians: 'Escolher seus guardiões',
    guardiansBody:
      'Duas ou três pessoas que podem ajudar você a ter uma chave nova se perder a sua. Sem elas, uma chave perdida fica perdida.',
    consent: 'Dar um primeiro consentimento',
    consentBody:
      'Deixe um laboratório acrescentar seus resultados, ou um médico ler. Você diz o quê e por quanto tempo, e pode encerrar.',
  },
  consents: {
    title: 'Consentimentos em vigor',
    count:
      '{count, plural, =0 {Ninguém tem um consentimento seu.} one {Um consentimento está em vigor.} other {# consentimentos estão em vigor.}}',
    all: 'Todos os consentimentos',
    give: 'Dar um consentimento',
  },
  recovery: {
    title: 'Se você perder a chave',
    readiness: {
      off: 'A recuperação está desligada.',
      none: 'Hoje ninguém poderia ajudar você.',
      one: 'Um guardião conta. São necessários dois.',
      two: 'Dois guardiões podem ajudar você.',
      three: 'Três guardiões podem ajudar você; dois quaisquer bastam.',
    },
    place: { primary: 'Primeiro guardião', secondary: 'Segundo guardião', tertiary: 'Terceiro guardião' },
    state: {
      free: 'ninguém ainda',
      invited: 'Convidado',
      lapsed: 'Link vencido',
      accepted: 'Ainda não confirmado',
      confirmed: 'Confirmado',
    },
    action: 'Seus guardiões',
  },
  history: {
    title: 'Últimas anotações no registro público',
    lead: 'Cada mudança na sua identidade é anotada em público, assinada, e não pode ser alterada depois.',
    what: 'O quê',
    when: 'Quando',
    status: 'Situação',
    event: {
      createBEO: 'Identidade criada',
      lockBEO: 'Identidade bloqueada',
      unlockBEO: 'Identidade desbloqueada',
      destroyBEO: 'Identidade destruída',
      rotateKey: 'Chave trocada',
      updateRecovery: 'Guardiões alterados',
      inviteGuardian: 'Guardião convidado',
      acceptGuardian: 'Guardião aceitou',
      confirmGuardian: 'Guardião confirmado',
      confirmRecovery: 'Recuperação confirmada por um guardião',
      revokeAllTokens: 'Todos os consentimentos retirados',
      revokeAllFromIEO: 'Consentimentos de uma instituição retirados',
      revokeByIntent: 'Consentimentos para uma finalidade retirados',
    },
    all: 'O histórico completo',
  },
  record: {
    title: 'Seu registro público',
    lead: 'Isto é o que qualquer pessoa pode ver.',
    domain: 'Nome',
    key: 'Chave pública',
    keyName: 'chave pública',
    keyVersion: '{version, plural, =1 {a primeira chave} other {chave número #}}',
    since: 'Desde',
    none: 'Nenhum mais',
    see: 'Ver como todos veem',
  },
} satisfies typeof english;
