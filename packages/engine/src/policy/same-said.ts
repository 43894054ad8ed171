import type { GrammarContext } from './grammar-types.ts'
import { shapeOf } from './said-shape.ts'
import type { PolicyField } from './terms.ts'

type SpokenField = Exclude<PolicyField, 'vaultId' | 'controlEpoch'>
type Names = Pick<GrammarContext, 'symbols' | 'aliases' | 'adapterIds'>

const amount = '(?:#amount|#number #address)'
const most = '#(?:at-most|below)'
const act = '(?:(?:spend|trade|move|use) )?'
const actions = '(?:action|trade|transaction)s'
const list = '(?:#name|#address)(?: (?:#name|#address))*'
const setOf = (nouns: string, plural: string) => [
  `(?:(?:only|allow|approve|trade|use|only trade|only use) )?(?:${nouns})s? ${list}`,
  `(?:no|do not any|do not use any) ${plural}`,
]
const capOf = (period: string) => [
  `${act}${most} ${amount} ${period}`,
  `${period} ${act}${most} ${amount}`,
  `${amount} ${period} most(?: allow)?`,
]
const price = [
  `(?:(?:trade )?at )?price #(?:at-most|below|at-least|above) ${amount}`,
  `(?:(?:trade )?at )?price between ${amount} ${amount}`,
  '(?:there )?no (?:price limit|limit on price)',
]

/** All accepted forms for a field's words, without idle words. Other synonyms are unknown. */
const forms: Readonly<Record<SpokenField, readonly string[]>> = {
  level: [
    '(?:set )?(?:only )?level (?:= )?(?:#number|observe|advise|prepare|stage|bounded)',
    '(?:only )?(?:observe|advise|prepare)(?: things)?',
  ],
  maximumAmountPerTransaction: capOf('#each'),
  maximumDailyTurnover: [...capOf('#daily'), `daily (?:turnover|limit) (?:${most} )?${amount}`],
  maximumSlippagePips: [`(?:keep )?slippage (?:${most} )?#rate`, `${most} slippage #rate`],
  approvedContracts: setOf('contract|pool|router', 'contracts'),
  approvedAssets: setOf('asset|token', 'assets'),
  approvedAdapterIds: setOf('adapter', 'adapters'),
  minimumSecondsBetweenActions: [
    `wait (?:#at-least )?#duration(?: between ${actions})?`,
    `(?:leave )?(?:#at-least )?#duration between ${actions}`,
    `(?:let )?${actions} (?:#at-least )?#duration apart`,
    '#at-most one (?:action|trade|transaction) (?:per|every) #duration',
  ],
  oracleMaximumAgeSeconds: ['(?:oracle|price feed) (?:age )?(?:#at-most )?#duration(?: old)?'],
  expiresAt: [
    '(?:until|expires|valid until|ends)(?: on)? #date',
    '(?:until|expires|valid until|valid|valid next|ends) #duration',
  ],
  publicMempoolFallbackAllowed: [
    '(?:never|no|do not use) public mempool',
    '(?:never|do not) (?:use|(?:send|trade)(?: anything)? (?:through|via)) public mempool',
    '(?:falling back )?public mempool (?:fallback )?(?:allowed|ok|okay|fine|permitted)',
    'allow public mempool',
  ],
  minimumPriceX18: [...price, '(?:there )?no minimum price'],
  maximumPriceX18: [...price, '(?:there )?no #at-most price'],
}
const isSpoken = (field: PolicyField): field is SpokenField => field in forms

/** How a figure of a field bounds where no words say so. */
const bounds: Partial<Record<PolicyField, string>> = {
  maximumAmountPerTransaction: '#at-most',
  maximumDailyTurnover: '#at-most',
  maximumSlippagePips: '#at-most',
  oracleMaximumAgeSeconds: '#at-most',
}
const boundOf = (shape: string, field: PolicyField): string | null => {
  if (field === 'minimumSecondsBetweenActions') return '#at-least'
  return /#(?:at-most|below|at-least|above)/.exec(shape)?.[0] ?? bounds[field] ?? null
}
const denies = (shape: string) => /\b(?:no|not|never)\b/.test(shape)
const levelOf = (shape: string) =>
  /\b(?:observe|advise|prepare|stage|bounded)\b/.exec(shape)?.[0] ?? null

/**
 * Difference in a field's value between a sentence and its source words. Both must have one of the
 * known forms of the field, apart from idle words. Their figures with units in order, names,
 * levels, bound directions and negations must be equal. Doubt counts as a difference.
 *
 * @param words part of a text, as the user wrote it
 * @param sentence a sentence claimed to restate the words
 * @param field a field that the grammar reads from the sentence
 * @returns a description of the difference; null if both mean the same
 */
export function differenceOf(
  words: string,
  sentence: string,
  field: PolicyField,
  context: Names,
): string | null {
  if (!isSpoken(field)) return 'text cannot set this field'
  const [said, proposed] = [shapeOf(words, context), shapeOf(sentence, context)]
  if (`${said.figures}` !== `${proposed.figures}`) {
    return 'figures, units, dates or addresses differ from the text'
  }
  if (`${said.names}` !== `${proposed.names}`) return 'names differ from the text'
  const form = new RegExp(`^(?:${forms[field].join('|')})$`)
  if (!form.test(said.shape) || !form.test(proposed.shape)) {
    return `the text has no known form for ${field}, or contains more`
  }
  if (levelOf(said.shape) !== levelOf(proposed.shape)) return 'the level differs from the text'
  if (boundOf(said.shape, field) !== boundOf(proposed.shape, field)) {
    return 'the text sets a different bound'
  }
  if (denies(said.shape) !== denies(proposed.shape)) {
    return 'the text and the proposal differ in a negation'
  }
  return null
}
