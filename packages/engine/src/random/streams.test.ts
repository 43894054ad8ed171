import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { meanOf, varianceOf } from '../numerics/compensated-sum.ts'
import { exponential, lognormal, poisson, stationaryBootstrapIndices } from './draws.ts'
import { sha256 } from './sha256.ts'
import { type DrawStream, pathStream, streamState } from './streams.ts'
import { xoshiro128 } from './xoshiro128.ts'

const seed = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0))
const drawn = (count: number, draw: () => number) => Array.from({ length: count }, draw)
const stream = (name: 'price' | 'flow' = 'price', antithetic = false): DrawStream =>
  pathStream(seed, 0, name, antithetic)

test('SHA-256 equals the platform’s for every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255)
    const expected = createHash('sha256').update(message).digest('hex')
    expect(Buffer.from(sha256(message)).toString('hex')).toBe(expected)
  }
})

test('the state, words and first uniform of the published vector', () => {
  const state = streamState(seed, 0, 'price')
  expect(state.map((word) => word.toString(16).padStart(8, '0')).join('')).toBe(
    '347bcb72deb0ef0d61c00bb2ecbce9a1',
  )
  const generator = xoshiro128(state)
  expect(drawn(4, generator.word)).toEqual([2365761036, 2075363251, 3078524478, 2437274584])
  expect(stream().uniform() * 2 ** 53).toBe(4961360495431198)
})

test('streams of other names, pairs and seeds have nothing in common', () => {
  const first = [
    stream('price').uniform(),
    stream('flow').uniform(),
    pathStream(seed, 1, 'price', false).uniform(),
    pathStream(new Uint8Array(32).fill(7), 0, 'price', false).uniform(),
  ]
  expect(new Set(first).size).toBe(4)
  expect(() => streamState(new Uint8Array(31), 0, 'price')).toThrow(RangeError)
  expect(() => streamState(seed, -1, 'price')).toThrow(RangeError)
})

test('the antithetic member has the same normals with the other sign, to the bit', () => {
  const [one, other] = [stream('price'), stream('price', true)]
  for (let i = 0; i < 2000; i++) expect(other.normal()).toBe(-one.normal())
})

test('uniforms and normals have their moments and stay inside their range', () => {
  const source = stream('flow')
  const uniforms = drawn(40_000, source.uniform)
  const normals = drawn(40_000, source.normal)
  expect(Math.min(...uniforms)).toBeGreaterThan(0)
  expect(Math.max(...uniforms)).toBeLessThan(1)
  expect(Math.abs(meanOf(uniforms) - 0.5)).toBeLessThan(4 / Math.sqrt(12 * 40_000))
  expect(Math.abs(meanOf(normals))).toBeLessThan(4 / 200)
  expect(Math.abs(varianceOf(normals) - 1)).toBeLessThan(4 * Math.sqrt(2 / 40_000))
  const tail = normals.filter((z) => Math.abs(z) > 1.959963984540054).length / 40_000
  expect(Math.abs(tail - 0.05)).toBeLessThan(4 * Math.sqrt(0.0475 / 40_000))
})

test('Poisson counts have mean and variance of their rate, for one chunk and for several', () => {
  for (const mean of [0.2, 3, 29.9, 75]) {
    const source = pathStream(seed, 3, 'flow', false)
    const counts = drawn(8000, () => poisson(source, mean))
    const error = Math.sqrt(mean / 8000)
    expect(Math.abs(meanOf(counts) - mean)).toBeLessThan(4 * error)
    expect(Math.abs(varianceOf(counts) / mean - 1)).toBeLessThan(0.1)
  }
  expect(poisson(stream(), 0)).toBe(0)
  expect(() => poisson(stream(), -1)).toThrow(RangeError)
  // The largest mean; its standard deviation is 3,162.
  expect(Math.abs(poisson(stream(), 1e7) - 1e7)).toBeLessThan(4 * 3162)
  expect(() => poisson(stream(), 1e7 + 1)).toThrow(RangeError)
})

test('waiting times and sizes have the means of their laws', () => {
  const source = stream('flow')
  expect(meanOf(drawn(20_000, () => exponential(source, 4)))).toBeCloseTo(0.25, 2)
  expect(meanOf(drawn(40_000, () => lognormal(source, -0.125, 0.5)))).toBeCloseTo(1, 1)
})

test('a stationary bootstrap runs in blocks of the mean length and around the end', () => {
  const indices = stationaryBootstrapIndices(stream(), 100, 40_000, 20)
  let blocks = 1
  let wraps = 0
  for (let i = 1; i < indices.length; i++) {
    if (indices[i] === 0 && indices[i - 1] === 99) wraps += 1
    else if (indices[i] !== indices[i - 1]! + 1) blocks += 1
  }
  expect(Math.abs(40_000 / blocks - 20)).toBeLessThan(1.5)
  expect(wraps).toBeGreaterThan(100)
  expect(new Set(indices).size).toBe(100)
  expect(() => stationaryBootstrapIndices(stream(), 10, 10, 0.5)).toThrow(RangeError)
})
