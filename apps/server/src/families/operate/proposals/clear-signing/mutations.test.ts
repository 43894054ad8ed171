// @module-tag long
// @covers apps/server/src/families/operate/proposals

import { contract } from '@liquidity-os/contract'
import { type AbiFunction, type AbiParameter, encodeFunctionData, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { NotShownError, showCall } from '../testing/show-call.ts'
import { describeAdapters } from './descriptors.ts'

const files = describeAdapters(contract.adapters)

/** Numbers below 1, the same for each seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function randomValue(parameter: AbiParameter, random: () => number): unknown {
  const { type } = parameter
  const hex = (bytes: number): Hex =>
    `0x${Array.from({ length: bytes }, () =>
      Math.floor(random() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('')}`
  const [, inner, count] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (inner !== undefined) {
    const length = count === '' ? Math.floor(random() * 4) : Number(count)
    return Array.from({ length }, () => randomValue({ ...parameter, type: inner }, random))
  }
  if ('components' in parameter) {
    const values = parameter.components.map((one) => [one.name, randomValue(one, random)])
    return Object.fromEntries(values)
  }
  if (type === 'bytes') return hex(Math.floor(random() * 80))
  if (type === 'string') return 'text'.repeat(Math.floor(random() * 12))
  if (type === 'address') return hex(20)
  if (type === 'bool') return random() < 0.5
  const [, kind, size = '256'] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  if (kind === 'bytes') return hex(Number(size))
  const value = BigInt(hex(Number(size || 256) / 8))
  const whole = kind === 'int' ? BigInt.asIntN(Number(size || 256), value) : value
  // viem takes small integers as numbers.
  return Number(size || 256) <= 48 ? Number(whole) : whole
}

const functions = files.flatMap((file) =>
  (file.context.contract.abi as unknown as AbiFunction[]).map((abi) => ({ file, abi })),
)

it('a descriptor shows or refuses each changed byte of a call, in 100,000 mutations', () => {
  const random = randomOf(20_260_105)
  const [total, perCall] = [100_000, 50]
  let [shown, refused] = [0, 0]
  for (let made = 0; made < total; made += perCall) {
    const { file, abi } = functions[Math.floor(random() * functions.length)]!
    const args = abi.inputs.map((input) => randomValue(input, random))
    const data = encodeFunctionData({ abi: [abi], args })
    const before = showCall(file, data).join('\n')
    for (let time = 0; time < perCall; time += 1) {
      const at = 2 + 2 * Math.floor((random() * (data.length - 2)) / 2)
      const byte = Number.parseInt(data.slice(at, at + 2), 16)
      const other = (byte + 1 + Math.floor(random() * 255)) % 256
      const mutant: Hex = `0x${data.slice(2, at)}${other.toString(16).padStart(2, '0')}${data.slice(at + 2)}`
      try {
        expect(showCall(file, mutant).join('\n'), `${abi.name} ${mutant}`).not.toBe(before)
        shown += 1
      } catch (error) {
        if (!(error instanceof NotShownError)) throw error
        refused += 1
      }
    }
  }
  expect([shown > 20_000, refused > 20_000, shown + refused]).toEqual([true, true, total])
})
