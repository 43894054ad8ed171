import { readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { definitionOf, unmappedOf } from './legacy-document.ts'

type Request = Parameters<typeof unmappedOf>[0]
type Json = Record<string, unknown>

const { payload } = contract.wrapLegacyStrategyDefinition.example.body
const requestOf = (v1Document: Json) => ({ ...payload, v1Document }) as unknown as Request
const example = (): Json => {
  const { description: _, ...document } = structuredClone(payload.v1Document)
  return document
}

/** Objects of the document that may get a field which v1 knew and v2 does not. */
const places = ['', 'capital', 'stabilizer', 'ladder', 'discovery', 'limits'] as const
const at = (document: Json, place: string) => (place === '' ? document : document[place]) as Json

it('reads its mappings from a file that is what its schema says', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
  const schema = Compile(read('legacy-mappings.schema.json'))
  expect(schema.Errors(read('legacy-mappings.json'))).toEqual([true, []])
})

describe('members that a wrapper omits', () => {
  it('is nothing of a document that it knows', () => {
    expect(unmappedOf(requestOf(example()))).toEqual([])
  })

  it('reports every other member, at any depth and with any value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.string({ minLength: 1, maxLength: 40 }).filter((name) => !name.includes('.')),
        fc.jsonValue(),
        (place, name, value) => {
          const document = example()
          const object = at(document, place)
          fc.pre(!Object.hasOwn(object, name))
          Object.defineProperty(object, name, { value, enumerable: true })
          const path = place === '' ? name : `${place}.${name}`
          expect(unmappedOf(requestOf(document)).map((member) => member.path)).toEqual([path])
        },
      ),
    )
  })

  it('is material unless it describes or is null', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('description', 'tags', 'slippage', 'stopLoss', 'feeTier', 'constructor'),
        fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant([])),
        (name, value) => {
          const [member] = unmappedOf(requestOf({ ...example(), [name]: value }))
          const isHarmless = value === null || ['description', 'tags'].includes(name)
          expect(member?.material).toBe(!isHarmless)
        },
      ),
    )
  })
})

describe('a definition from a v1 document', () => {
  it('has weights that sum to a million where the shares do not exceed it', () => {
    const share = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(share, share, share, (stabilizer, ladder, discovery) => {
        const document = example()
        at(document, 'stabilizer').sharePips = stabilizer
        at(document, 'ladder').sharePips = ladder
        at(document, 'discovery').sharePips = discovery
        const { positions, idlePips } = definitionOf(requestOf(document))
        const sum = positions.reduce((total, { weightPips }) => total + weightPips, idlePips)
        expect(sum).toBe(Math.max(1_000_000, stabilizer + ladder + discovery))
      }),
    )
  })

  it('ends a bootstrap at its target, and never above a whole', () => {
    for (const [target, below] of [
      [0, 1],
      [400_000, 400_001],
      [1_000_000, 1_000_000],
    ]) {
      const { end } = definitionOf(requestOf({ ...example(), targetBaseSharePips: target }))
      expect(end?.when).toEqual({ kind: 'BASE_SHARE', below })
    }
  })
})
