import type english from '../en/safety.ts';

export default {
  title: 'Chave e segurança',
  lead: 'É a sua chave que faz de você o dono de {domain}. Aqui você a mantém segura, a troca ou a tira deste navegador.',
  notNow: 'Agora não',

  backup: {
    title: 'Cópia da chave',
    have: 'Você tem a sua própria cópia. De vez em quando, confira se ainda sabe onde ela está.',
    noneTitle: 'Ainda não há cópia',
    none: 'Navegadores esquecem o que guardam, alguns em uma semana. Aí ninguém consegue trazer esta chave de volta.',
    what: 'Um arquivo protegido por uma senha própria, ou 24 palavras no papel, que você também pode imprimir como cartão.',
    make: 'Fazer uma cópia',
    another: 'Fazer outra cópia',
    lead: 'É da chave de {domain} que vale agora. Você escolhe a forma; as duas abrem em qualquer aparelho.',
    leadSeed:
      'A chave de {domain} foi criada em outro lugar, por isso não tem 24 palavras. Um arquivo com senha a guarda igualmente bem.',
    done: 'Você tem a sua própria cópia.',
  },

  passkey: {
    title: 'Chave de acesso',
    what: 'Abra a chave neste navegador com o dedo, o rosto ou o PIN deste aparelho, além da senha.',
    have: 'A chave de acesso deste aparelho abre a chave neste navegador. A senha também funciona.',
    cannot:
      'Este navegador ou aparelho não oferece uma chave de acesso que possa guardar uma chave; use a senha. É igualmente seguro.',
    add: 'Adicionar uma chave de acesso',
    remove: 'Remover a chave de acesso',
    added: 'A chave de acesso foi adicionada.',
    removed: 'A chave de acesso foi removida. A senha abre a chave.',
  },

  passphrase: {
    title: 'Senha deste navegador',
    what: 'Ela abre a chave neste navegador. Se você a esqueceu, traga a chave de novo com seu arquivo ou suas palavras.',
    files: 'Uma senha nova não muda os arquivos que você salvou: cada um mantém a sua.',
    change: 'Trocar a senha',
    new: 'Escolha uma senha nova',
    save: 'Trocar',
    done: 'A senha foi trocada.',
  },

  putAway: {
    title: 'Quando a chave é guardada',
    what: 'Depois de aberta, sua chave fica aberta só nesta página: até você guardá-la, fechar ou recarregar a página, ou ninguém a usar por {minutes, number} minutos.',
  },

  replace: {
    title: 'Trocar a chave',
    when: 'Se alguém pode ter visto suas palavras, seu arquivo ou sua senha. A chave nova vale na hora, e a antiga deixa de funcionar.',
    begin: 'Trocar a chave',
    whatTitle: 'Como a troca da chave acontece',
    new: 'Uma chave nova é criada aqui, no seu aparelho.',
    copy: 'Você guarda uma cópia dela: um arquivo ou 24 palavras. As cópias antigas deixam de servir.',
    signed: 'A chave antiga assina que a nova toma o lugar dela.',
    stays: {
      holder: 'Seus consentimentos, guardiões e registros continuam como estão.',
      institution: 'Consentimentos, certificação e contatos continuam como estão.',
    },
    public: 'O que fica público para sempre: que {domain} tem uma chave nova, quando, e a chave pública nova.',
    make: 'Criar a chave nova',
    broken: 'Este navegador não conseguiu criar uma chave. Carregue a página de novo; nada mudou.',
    savedTitle: 'Sua chave nova está criada e guardada',
    saved: 'Você a criou aqui antes e tem uma cópia. Ela ainda não vale.',
    goOn: 'Continuar com ela',
    again: 'Guardar outra cópia',
    inForce: 'Sua chave nova já vale para {domain}. Só ainda não está guardada neste navegador.',
    signTitle: 'Dar a {domain} a chave nova agora?',
    sign: 'A partir deste momento a chave antiga não assina mais nada, em nenhum dos seus aparelhos.',
    newKey: 'Chave pública nova',
    yes: 'Trocar a chave agora',
    sending: 'Trocando a chave …',
    done: '{domain} tem sua chave nova. Suas cópias antigas não servem mais.',
  },

  forget: {
    title: 'Esquecer neste navegador',
    what: 'Tira a chave deste navegador, por exemplo antes de você passar o aparelho adiante. A identidade continua como está.',
    button: 'Esquecer a chave aqui',
    ask: 'Esquecer a chave de {domain} neste navegador?',
    stays: '{domain} continua como está, e tudo o que assinou também.',
    backedUp: 'Você disse que tem uma cópia. Vai precisar dela para voltar.',
    noBackupTitle: 'Não há cópia desta chave',
    noBackup:
      'Se continuar, ninguém mais poderá agir por {domain}, a não ser que os guardiões lhe deem uma chave nova.',
    yes: 'Esquecer aqui',
    anyway: 'Esquecer sem cópia',
    no: 'Manter',
  },

  destroy: {
    rest: 'Destruir',
    restWhat: 'Acaba para sempre. Antes, você fica sabendo o que se perde e o que permanece.',
    begin: 'Ver o que destruir significa',
    title: '{kind, select, institution {Destruir a instituição} other {Destruir a identidade}}',
    step: 'Passo {step, number} de {steps, number}',
    next: 'Entendi, continuar',
    no: 'Não destruir',
    goes: {
      title: 'O que se perde ao destruir {domain}',
      holder: {
        key: 'A chave. Ela não assina mais nada, e nenhum guardião pode trazê-la de volta.',
        consents: 'Todos os seus consentimentos. Eles terminam nesse momento.',
        records: 'Seus registros e os nomes dos seus guardiões: são apagados aqui, e a chave que os cifrava também.',
        rather:
          'Se você teme que alguém tenha sua chave, <lock>bloqueie</lock> a identidade ou <lock>troque</lock> a chave. Assim você não perde nada.',
      },
      institution: {
        key: 'A chave. Ela não assina mais nada.',
        consents: 'Todos os consentimentos recebidos. Eles terminam nesse momento.',
        records: 'O lugar dela aqui: ela não poderá mais enviar nem ler registros.',
        rather:
          'Se você teme que alguém tenha a chave, <lock>bloqueie</lock> a instituição ou <lock>troque</lock> a chave. Assim você não perde nada.',
      },
      domain:
        '{kind, select, institution {O nome {domain}. Ninguém poderá usá-lo de novo, nem você.} other {O nome {domain}. Depois de alguns minutos, qualquer pessoa pode usá-lo.}}',
      nobody: 'Ninguém pode desfazer isto, nem nós.',
    },
    stays: {
      title: 'O que permanece',
      holder: {
        ledger:
          'No registro público, para sempre: que {domain} existiu, suas chaves públicas, e a quem e quando foram dados consentimentos. Nenhum dado de saúde e nenhum nome de guardião.',
        copies: 'O que instituições leram enquanto você permitia. Peça a elas que apaguem; nós não podemos.',
      },
      institution: {
        ledger:
          'No registro público, para sempre: o nome, as chaves públicas, e que consentimentos {domain} recebeu e quando.',
        copies: 'Os registros que ela enviou. Eles pertencem às pessoas de quem tratam e ficam com elas.',
      },
      mark: 'Uma última anotação no registro público: que {domain} foi destruída, e quando.',
    },
    export: {
      title: 'Levar seus registros antes?',
      what: 'Uma exportação é um arquivo com tudo: seus registros, consentimentos e quem os acessou, cada um com sua prova.',
      last: 'Depois que a identidade for destruída, nada dela poderá mais ser exportado.',
      make: 'Exportar antes',
      without: 'Continuar sem exportar',
    },
    confirm: {
      title: 'Destruir {domain} para sempre',
      final: 'Este é o último passo. Vale na hora.',
      label: 'Digite {domain} para ter certeza',
      wrong: 'Isso não é {domain}. Digite exatamente, ou pare aqui.',
      yes: 'Destruir para sempre',
      sending: 'Destruindo …',
      cooldown:
        'Ela foi recuperada por guardiões há menos de 24 horas. Até lá não pode ser destruída, caso a recuperação não tenha sido sua.',
    },
    done: {
      title: '{domain} foi destruída',
      holder: 'A chave não assina mais nada, os consentimentos terminaram, e os registros aqui foram apagados.',
      institution: 'A chave não assina mais nada, e os consentimentos recebidos terminaram.',
      forget: 'Esquecer neste navegador',
      see: 'Ver no registro público',
    },
  },
} satisfies typeof english;
