import { describe, expect, test } from 'vitest';
import { misleadingNameProblem } from '../operations/misleading-name.ts';
import { findMisleading } from './display-names.ts';

describe('the name of an institution', () => {
  test.each([
    'Hospital São Paulo, 2ª Clínica Nº 5',
    "Sant'Anna d’Água – Dr. Müller™ & Cie (Köln)",
    'Клиника «Здоровье» № 7',
    'Медицинский IT-центр',
    'Ιατρικό Κέντρο Αθηνών',
    'Praxis 12-34e5/67.8',
    'R&D <Okapi> «Nord» µLab',
    'हिन्दी केंद्र',
    'بیمارستان امام‌خمینی',
    'ශ්‍රී ලංකා රෝහල',
    'בית חולים הדסה',
    'โรงพยาบาลจุฬาลงกรณ์ สำนักงาน',
    '東京大学医学部附属病院',
    'ＮＴＴ東日本関東病院',
    'Tシャツクリニック 第Ⅱ病院',
    '서울아산병원 ABC센터',
    '台大醫院 ㄅㄆ',
    'ᏣᎳᎩ ᎠᏰᎵ',
    'Heart ❤️ Clinic',
    'i̇stanbul Sağlık',
    'Cafe\u0301 Sante\u0301',
    'Bệnh viện Việt Đức'.normalize('NFD'),
    'မြို့နယ်ဆေးရုံ',
    'មន្ទីរពេទ្យ ញ៉ាំ',
    'གཙང་སྨན་ཁང་ བསྒྲུབས',
    'शादियाँ पीड़ीं',
    'ที่นี่',
    'Perpetua Socorro Hospital',
    'Instituto do Coração',
    'Səhiyyə Nazirliyi',
    'Ɛdwumayɛ Ayaresabea',
    'Asibitin Ɗanfodiyo',
    'Hawaiʻi Kaʻū Clinic',
    'ꓡꓲ-ꓢꓴ ꓑꓰ',
    'Łódź Ørsted Đakovo',
    '東京メディカルセンター',
  ])('may be %s', (name) => {
    expect(findMisleading(name)).toBe(null);
  });

  test.each<[string, 'mixed' | 'styled' | 'invisible' | 'stacked' | 'own']>([
    ['Hоspital', 'mixed'],
    ['Клиниkа', 'mixed'],
    ['Αlbert Einstein', 'mixed'],
    ["Sant'Аnna", 'mixed'],
    ['Hоsp1tal', 'mixed'],
    ['Ab·сd', 'mixed'],
    ['Laboratоry東京', 'mixed'],
    ['Clinicא', 'mixed'],
    ['LabᎪ', 'mixed'],
    ['ΑВС', 'mixed'],
    ['Ｈospital', 'styled'],
    ['Ｈｏｓｐｉｔａｌ', 'styled'],
    ['𝐇𝐨𝐬𝐩𝐢𝐭𝐚𝐥', 'styled'],
    ['Ⓗospital', 'styled'],
    ['Hospitaⅼ', 'styled'],
    ['Ｈospital 東京', 'styled'],
    ['𝐇 東京', 'styled'],
    ['Hos\u200dpital', 'invisible'],
    ['Hos\u200cpital', 'invisible'],
    ['Hospital\u034f', 'invisible'],
    ['Hos\ufe0fpital', 'invisible'],
    ['Hos\u2800pital', 'invisible'],
    ['Hos\u202epital', 'invisible'],
    ['Hos\u2066pital', 'invisible'],
    ['Hos\u200bpital', 'invisible'],
    ['Hos\u{e0061}pital', 'invisible'],
    ['\u200dکلینیک', 'invisible'],
    ['کلی\u200c\u200cنیک', 'invisible'],
    ['Hos\u0316\u0317\u0318pital', 'stacked'],
    ['Hóśpital e\u0301\u0302\u0303', 'stacked'],
    ['ก็็็', 'stacked'],
    ['ड\u0940\u0940\u0940\u0940\u0940', 'stacked'],
    ['Perpetua', 'own'],
    ['PERPÉTUA', 'own'],
    ['P e r p e t u a.', 'own'],
    ['Perpetu4', 'own'],
    ...[
      ...[
        'Perpetua™',
        'Perpetua℠',
        'Perpetua!',
        '|Perpetua|',
        'Perpetuaʼ',
        'Perpetuaˈ',
        'Perpetuaˑ',
        'Perpetuaꞏ',
        'Perpetuaǃ',
      ],
      ...['Pɛrpɛtua', 'Ƥerpetua', 'Perpeŧua', 'Perpetʉa', 'ꓑꓰꓣꓑꓰꓔꓴꓮ', 'ᏢᎬᏒᏢᎬᎢᏌᎪ', 'ꮲꭼꮢꮲꭼꭲꮜꭺ', 'ꓲꓠꓢꓔꓲꓔꓴꓔꓰ'],
    ].map((name): [string, 'own'] => [name, 'own']),
    ...['Perpetuɑ', 'Ɑlbert', 'Perpetuᴀ', 'ᴘᴇʀᴘᴇᴛᴜᴀ', 'Perpeʈua', 'Hoꜱpital', 'Hosꭓital'].map(
      (name): [string, 'styled'] => [name, 'styled'],
    ),
    ['Institute', 'own'],
    ['lnstitute', 'own'],
    ['1nst!tute', 'own'],
    ['The Institute', 'own'],
    ['Instituto', 'own'],
  ])('cannot be %j: %s', (name, kind) => {
    expect(findMisleading(name)).toMatchObject({ kind });
  });

  test('is rejected with a sentence that quotes the word', () => {
    expect(misleadingNameProblem('displayName', 'The Hоspital', [])).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        issues: [
          {
            path: 'displayName',
            message: 'must not mix scripts within a word: “Hоspital” has letters of more than one',
          },
        ],
      },
    });
  });

  test('is not the name of the operator, however it is written', () => {
    const own = ['Fundação Modelo'];
    for (const name of ['fundacao modelo', 'Fundaçâo-Modelo', 'FUNDAÇÃO M0DEL0', 'Fundação Rnodelo'])
      expect(findMisleading(name, own)).toMatchObject({ kind: 'own' });
    expect(findMisleading('Fundação Modelo Norte', own)).toBe(null);
    expect(findMisleading('★', ['★'])).toBe(null);
  });

  test.each([' Hospital', 'Hospital ', '\u3000Hospital'])('cannot begin or end with a space: %j', (name) => {
    expect(misleadingNameProblem('displayName', name, [])).toMatchObject({
      details: { issues: [{ path: 'displayName', message: 'must not begin or end with a space' }] },
    });
  });
});
