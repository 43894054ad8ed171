import type { contract } from '@liquidity-os/contract'

/** Units that follow a figure in templates: they are part of it. */
const value = /“[^“”]*”|-?\d+(?: (?:pips|percent|atoms|paths|seconds|blocks|tokens)\b)?/g

/** A name between quotes, or a figure with its unit, in the order in which a sentence has them. */
export const valuesOf = (text: string): string[] => text.match(value) ?? []

const mark = /\[\[(\d+)\]\]/g

/** A sentence with marks in the place of its names and figures: what a model gets to read holds no word of anybody else. */
export function masked(text: string): string {
  let place = 0
  return text.replace(value, () => {
    place += 1
    return `[[${place}]]`
  })
}

/** Words with the names and figures of a template in the place of their marks; a mark of nothing stays. */
export function unmasked(words: string, template: string): string {
  const values = valuesOf(template)
  return words.replace(mark, (whole, place: string) => values[Number(place) - 1] ?? whole)
}

/** Words that say nothing by themselves: a model that adds another is told WORDS_NEW. The list is closed and published. */
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

/** Words that deny: as many of them as the template has. */
const denials = new Set(
  'no not never neither nor none nothing nobody nowhere without cannot'.split(' '),
)

const wordsIn = (text: string): string[] =>
  (text.replace(value, ' ').match(/[A-Za-z]+(?:['’-][A-Za-z]+)*/g) ?? []).map((word) =>
    word.toLowerCase(),
  )

const [longest, longerBy] = [2, 40]

/** What a model may put before a sentence. The list is closed and published: none of it changes what the sentence says. */
const openers = [
  /^according to (the|this) (records?|report|evidence)$/,
  /^as (the|this) (records?|report|evidence) (shows?|says?|reports?|tells?)$/,
  /^as (the records have|the record has) it$/,
  /^as (recorded|reported|noted)$/,
  /^(the|this) (records?|report|evidence) (shows?|says?|reports?|tells?|notes?) that$/,
]

/**
 * Whether the template stands in the words whole and in one piece, at their end, after nothing but an opener. Order and
 * direction carry meaning ("from 3 to 1"), so no other wording is taken for the same. The first letter may change its case.
 */
function isTemplateWhole(template: string, words: string): boolean {
  const rest = template.slice(1)
  if (!words.endsWith(rest)) return false
  const begin = words.slice(0, words.length - rest.length)
  const first = template.charAt(0)
  if (begin.slice(-1).toLowerCase() !== first.toLowerCase()) return false
  const opener = begin.slice(0, -1)
  if (opener === '') return begin === first
  const [, said] = /^(.+?)[,:]? $/.exec(opener) ?? []
  return said !== undefined && openers.some((one) => one.test(said.toLowerCase()))
}

/**
 * Why words may not stand in the place of a sentence; null where they are that sentence, behind an opener or alone. The
 * faults before FORM tell whoever runs the model what it did.
 */
export function wordsFault(template: string, words: string): contract.NarrationFault | null {
  if (words.trim() === '') return 'MISSING'
  if (words.length > longest * template.length + longerBy) return 'LENGTH'
  if (!isSameList(valuesOf(template), valuesOf(words))) return 'VALUES'
  if (hasOtherCharacters(template, words)) return 'CHARACTERS'
  const [own, told] = [wordsIn(template), wordsIn(words)]
  const known = new Set(own)
  if (told.some((word) => !known.has(word) && !plain.has(word))) return 'WORDS_NEW'
  if (countOf(own, denials) !== countOf(told, denials)) return 'DENIAL'
  const said = own.filter((word) => !plain.has(word))
  if (!said.every((word) => timesOf(told, word) >= timesOf(said, word))) return 'WORDS_LOST'
  return isTemplateWhole(template, words) ? null : 'FORM'
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, index) => text === other[index])

const countOf = (words: readonly string[], some: ReadonlySet<string>) =>
  words.filter((word) => some.has(word)).length

const timesOf = (words: readonly string[], word: string) =>
  words.filter((one) => one === word).length

/** Beside names and figures: letters, plain marks of a sentence and what the template has; no dot between letters, as in a link. */
function hasOtherCharacters(template: string, words: string): boolean {
  const outside = words.replace(value, ' ')
  const own = new Set(template.replace(value, ' '))
  const isOther = [...outside].some((one) => !/[A-Za-z ,.;:'’-]/.test(one) && !own.has(one))
  return isOther || /[A-Za-z]\.[A-Za-z]/.test(outside)
}
