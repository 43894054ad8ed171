import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { masked, unmasked, valuesOf, wordsFault } from './faithful-words.ts'

const template =
  '“Twice as wide” is “SUPERIOR”: its mean difference from the baseline is -403 at a confidence of 950000 pips.'
const faultOf = (words: string) => wordsFault(template, unmasked(words, template))

describe('a sentence that is sent', () => {
  it('holds no name and no figure, with its unit', () => {
    expect(masked(template)).toBe(
      '[[1]] is [[2]]: its mean difference from the baseline is [[3]] at a confidence of [[4]].',
    )
    expect(valuesOf(template)).toEqual(['“Twice as wide”', '“SUPERIOR”', '-403', '950000 pips'])
  })

  it('contains no third-party text, for any name', () => {
    fc.assert(
      fc.property(fc.string(), (named) => {
        const name = named.replaceAll(/[“”]/g, '')
        expect(masked(`“${name}” is of the block 7.`)).toBe('[[1]] is of the block [[2]].')
      }),
    )
  })
})

describe('words of a model', () => {
  it('are accepted if they state the same', () => {
    expect(faultOf(masked(template))).toBe(null)
    expect(faultOf(`According to the report, ${masked(template)}`)).toBe(null)
    expect(wordsFault('That is so.', 'The records show that that is so.')).toBe(null)
  })

  it.each([
    // The sentences that a hostile model turned round in an audit, with every word and figure kept.
    [
      '[[1]] is neither approved nor refused by that',
      '[[1]] is approved by that, and neither is it nor that refused',
    ],
    ['[[1]] was not reviewed before.', '[[1]] was reviewed before, and so it is not.'],
    ['[[1]] went from [[2]] to [[3]].', '[[1]] went to [[2]] from [[3]].'],
    [
      'Nothing of [[1]] is other than at the review before.',
      'Of [[1]] it is other than at the review before, and of nothing.',
    ],
    [
      'That is not the whole of [[1]], because of [[2]].',
      'That is the whole of [[1]], and not because of [[2]].',
    ],
    [
      '[[1]] could not be judged: [[2]] is [[3]].',
      '[[1]] is judged, so it could be, and not: [[2]] [[3]].',
    ],
    ['[[1]] breaks the guardrail.', 'While it was before that [[1]] breaks the guardrail.'],
    ['[[1]] is [[2]].', 'As reported, [[1]] is [[2]]. This is as it is.'],
  ])('do not where they turn “%s” round', (form, turned) => {
    const filled = unmasked(form, '“Pay” “3” “1”')
    expect(wordsFault(filled, filled)).toBe(null)
    expect(wordsFault(filled, unmasked(turned, filled))).toBe('FORM')
  })

  it.each([
    ['MISSING', ' '],
    ['LENGTH', `${masked(template)} ${'It is so. '.repeat(40)}`],
    // A figure that is dropped, repeated, in another place, of another unit, or another.
    ['VALUES', '[[1]] is [[2]]: its mean difference from the baseline is [[3]] at a confidence.'],
    ['VALUES', `${masked(template)} [[1]].`],
    ['VALUES', masked(template).replace('[[3]]', '[[5]]').replace('[[4]]', '[[3]]')],
    ['VALUES', masked(template).replace('[[3]]', '-404')],
    ['VALUES', masked(template).replace('[[4]]', '950000')],
    ['VALUES', masked(template).replace('[[1]]', '“Twice as narrow”')],
    ['VALUES', `${masked(template)} It is “safe”.`],
    ['VALUES', `${masked(template)} [[9]].`],
    ['WORDS_NEW', `${masked(template)} It is safe.`],
    ['WORDS_NEW', masked(template).replace('is [[3]]', 'is at least [[3]]')],
    ['WORDS_NEW', `${masked(template)} It is two of them.`],
    ['WORDS_NEW', masked(template).replace('is [[2]]', 'is not [[2]]')],
    ['WORDS_LOST', masked(template).replace('mean ', '')],
    ['CHARACTERS', `${masked(template)} See https://example.org.`],
    ['CHARACTERS', `${masked(template)} It is as of example.is.`],
    ['CHARACTERS', `<b>${masked(template)}</b>`],
    ['CHARACTERS', `**${masked(template)}**`],
    ['CHARACTERS', masked(template).replace('mean', 'me\u200ban')],
    ['CHARACTERS', masked(template).replace('mean', 'me\u0430n')],
    ['CHARACTERS', `${masked(template)}\nIt is so.`],
    ['CHARACTERS', masked(template).replace('.', '?')],
  ])('do not for %s: %s', (fault, words) => {
    expect(faultOf(words)).toBe(fault)
  })

  it('deny as often as their template', () => {
    const denied = 'Nothing of “Pay” is other than at the review before.'
    expect(wordsFault(denied, `As recorded: ${denied.replace('N', 'n')}`)).toBe(null)
    expect(wordsFault(denied, 'Of “Pay” is other than at the review before.')).toBe('DENIAL')
    const twice = 'Nothing of “Pay” nothing is other than at the review before.'
    expect(wordsFault(denied, twice)).toBe('DENIAL')
  })
})
