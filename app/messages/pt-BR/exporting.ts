export default {
  title: 'Leve seus registros com você',
  lead: 'Um arquivo com tudo o que está guardado sobre você, inclusive os valores substituídos, exatamente como foi enviado.',
  formats: 'Para que é o arquivo?',
  format: {
    CSV: {
      name: 'Uma planilha',
      what: 'CSV: uma linha por registro, para Excel, LibreOffice ou Numbers, ou para quem vai fazer contas com ele.',
    },
    FHIR_R4: {
      name: 'O próximo sistema de saúde',
      what: 'HL7 FHIR R4: a forma em que clínicas, laboratórios e aplicativos de saúde passam dados uns aos outros.',
    },
    JSON: {
      name: 'Guardar, com provas',
      what: 'JSON: tudo o que se sabe, com o que prova cada registro no livro-razão, mesmo que este serviço deixe de existir.',
    },
  },
  careful:
    'O arquivo não é criptografado: quem o tiver pode lê-lo. Guarde-o onde guardaria um laudo médico. {whose, select, own {Que você o fez fica anotado no seu registro de acessos.} other {A pessoa vê no registro de acessos dela que você exportou os registros.}}',
  choose: 'Escolha para que é o arquivo.',
  again: 'Tentar de novo',
  make: 'Fazer o arquivo',
  making: 'Fazendo o arquivo',
  preparing: 'Pedindo os registros',
  soFar: '{count, plural, one {# registro} other {# registros}}; {size} até agora',
  cancel: 'Cancelar',
  cancelled: 'Cancelado. Nada foi guardado.',
  ready: {
    title: 'Seu arquivo está pronto',
    what: '{count, plural, =0 {Ele não contém registros: ainda não há nenhum.} one {Ele contém # registro.} other {Ele contém # registros.}} Está só na memória deste navegador: salve-o agora.',
    save: 'Salvar o arquivo',
    another: 'Fazer outro',
  },
  broken: 'O arquivo não chegou inteiro, por isso nada dele foi guardado. Verifique sua conexão e tente de novo.',
  notNow: {
    title: 'Não é possível exportar nada agora',
    locked: 'Sua identidade está bloqueada, e os registros não vão para ninguém até você desbloqueá-la: nem para você.',
    destroyed: 'Esta identidade foi destruída, e os registros dela também.',
  },
};
