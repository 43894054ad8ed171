import type { contract } from '@liquidity-os/contract'

/** A figure includes the unit that follows it in a template. */
const value = /“[^“”]*”|-?\d+(?: (?:pips|percent|atoms|paths|seconds|blocks|tokens)\b)?/g

/** Quoted names and figures with units, in sentence order. */
export const valuesOf = (text: string): string[] => text.match(value) ?? []

const mark = /\[\[(\d+)\]\]/g

/**
 * Replaces names and figures in a sentence with marks. The model therefore never sees third-party
 * text.
 */
export function masked(text: string): string {
  let itemIndex = 0
  return text.replace(value, () => {
    itemIndex += 1
    return `[[${itemIndex}]]`
  })
}

/** Replaces marks with the values of the template. Unknown marks stay. */
export function unmasked(words: string, template: string): string {
  const values = valuesOf(template)
  return words.replace(mark, (whole, place: string) => values[Number(place) - 1] ?? whole)
}

/**
 * Words without factual content. Any other new word causes the fault WORDS_NEW. The list is fixed
 * and published. @language-data
 */
const plain = new Set(
  [
    'a an the this that these those it its they their them there here and or but as at by for from in into of on to with',
    'within between over under after before while where when which who whose what is are was were be been being has have had',
    'does do did comes come came stands stand stood shows show shown reads read says say said gives give given tells tell told',
    'reports report reported records record recorded notes note noted found according so thus then also too both each itself',
    'beside about regarding concerning namely came follows following means meaning',
  ]
    .join(' ')
    .split(' '),
)

/** Negations. A wording must have the same number as its template. @language-data */
const denials = new Set(
  'no not never neither nor none nothing nobody nowhere without cannot'.split(' '),
)

const wordsIn = (text: string): string[] =>
  (text.replace(value, ' ').match(/[A-Za-z]+(?:['’-][A-Za-z]+)*/g) ?? []).map((word) =>
    word.toLowerCase(),
  )

const [longest, longerBy] = [2, 40]

/**
 * Phrases that a model may put before a sentence. The list is fixed and published; none changes the
 * meaning.
 */
const openers = [
  /^according to (the|this) (records?|report|evidence)$/,
  /^as (the|this) (records?|report|evidence) (shows?|says?|reports?|tells?)$/,
  /^as (the records have|the record has) it$/,
  /^as (recorded|reported|noted)$/,
  /^(the|this) (records?|report|evidence) (shows?|says?|reports?|tells?|notes?) that$/,
]

/**
 * True if the text ends with the complete template and starts with at most one opener. Order
 * carries meaning ("from 3 to 1"), so rewording is not allowed. The first letter may change case.
 */
function isTemplateWhole(template: string, words: string): boolean {
  const rest = template.slice(1)
  if (!words.endsWith(rest)) return false
  const begin = words.slice(0, words.length - rest.length)
  const first = template.charAt(0)
  if (begin.slice(-1).toLowerCase() !== first.toLowerCase()) return false
  const opener = begin.slice(0, -1)
  if (opener === '') return begin === first
  const [, stated] = /^(.+?)[,:]? $/.exec(opener) ?? []
  return stated !== undefined && openers.some((one) => one.test(stated.toLowerCase()))
}

/**
 * Reason a wording cannot replace a template sentence, or null. The faults checked before FORM help
 * the operator of the model to diagnose it.
 */
export function wordsFault(template: string, words: string): contract.NarrationFault | null {
  if (words.trim() === '') return 'MISSING'
  if (words.length > longest * template.length + longerBy) return 'LENGTH'
  if (!isSameList(valuesOf(template), valuesOf(words))) return 'VALUES'
  if (hasOtherCharacters(template, words)) return 'CHARACTERS'
  const [own, response] = [wordsIn(template), wordsIn(words)]
  const known = new Set(own)
  if (response.some((word) => !known.has(word) && !plain.has(word))) return 'WORDS_NEW'
  if (countOf(own, denials) !== countOf(response, denials)) return 'DENIAL'
  const statement = own.filter((word) => !plain.has(word))
  if (!statement.every((word) => timesOf(response, word) >= timesOf(statement, word)))
    return 'WORDS_LOST'
  return isTemplateWhole(template, words) ? null : 'FORM'
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, index) => text === other[index])

const countOf = (words: readonly string[], some: ReadonlySet<string>) =>
  words.filter((word) => some.has(word)).length

const timesOf = (words: readonly string[], word: string) =>
  words.filter((one) => one === word).length

/**
 * True if the text outside names and figures has unexpected characters. Allowed are letters, plain
 * punctuation and the characters of the template. A dot between letters could form a link.
 */
function hasOtherCharacters(template: string, words: string): boolean {
  const outside = words.replace(value, ' ')
  const own = new Set(template.replace(value, ' '))
  const isOther = [...outside].some((one) => !/[A-Za-z ,.;:'’-]/.test(one) && !own.has(one))
  return isOther || /[A-Za-z]\.[A-Za-z]/.test(outside)
}
