import type { contract } from '@liquidity-os/contract'
import { type AbiFunction, type AbiParameter, getAddress, type Hex, toFunctionSelector } from 'viem'
import { textOrEmpty } from '../../../../texts.ts'
import { namedSignature } from '../clear-signing/descriptors.ts'

/** A call that a wallet cannot show completely. */
export class NotShownError extends Error {}

const refuse = (reason: string): never => {
  throw new NotShownError(reason)
}

/**
 * Shows a call as a wallet with the descriptor does. It shares no code with the decoder of the
 * service, and accepts the canonical encoding only.
 *
 * @returns one line per field
 * @throws NotShownError for another function, another encoding, or a value without a field
 */
export function showCall(file: contract.ClearSigningFile, data: Hex): string[] {
  const abis = file.context.contract.abi as unknown as AbiFunction[]
  const abi = abis.find((one) => toFunctionSelector(one) === data.slice(0, 10).toLowerCase())
  const format = abi && file.display.formats[namedSignature(abi)]
  if (!abi || !format) return refuse('unknown function')
  const bytes = Buffer.from(data.slice(10), 'hex')
  const values: Value[] = []
  const size = readTuple(abi.inputs, { bytes, start: 0, before: '' }, values)
  if (size !== bytes.length) refuse('bytes after the arguments')
  const fields = new Map(format.fields.map((field) => [field.path, field]))
  return values.map(({ path, place, text }) => {
    const label = fields.get(path)?.label ?? findListLabel(format.fields, path)
    return `${label} ${place}: ${text}`
  })
}

/** Label of the number of items of a list of tuples. */
function findListLabel(fields: readonly { path: string; label: string }[], path: string): string {
  const field = fields.find((one) => path.endsWith('.[]') && one.path.startsWith(`${path}.`))
  return field?.label ?? refuse(`no field for ${path}`)
}

interface Value {
  /** Path of the field, with `[]` for each list. */
  readonly path: string
  /** Path of the value, with its indexes. */
  readonly place: string
  readonly text: string
}

interface Place {
  readonly bytes: Buffer
  readonly start: number
  readonly before: string
  readonly place?: string
}

const wordBytes = 32

/** Reads parameters with heads and tails; returns the number of bytes. */
function readTuple(
  parameters: readonly AbiParameter[],
  { bytes, start, before, place = before }: Place,
  values: Value[],
): number {
  let head = start
  let tail = start + parameters.reduce((sum, one) => sum + headBytes(one), 0)
  for (const parameter of parameters) {
    const name = textOrEmpty(parameter.name)
    const at = {
      bytes,
      before: [before, name].filter((part) => part !== '').join('.'),
      place: [place, name].filter((part) => part !== '').join('.'),
    }
    if (isDynamic(parameter)) {
      if (readWord(bytes, head) !== BigInt(tail - start)) refuse('an offset out of order')
      tail += readValue(parameter, { ...at, start: tail }, values)
    } else readValue(parameter, { ...at, start: head }, values)
    head += headBytes(parameter)
  }
  return tail - start
}

function readValue(parameter: AbiParameter, at: Place, values: Value[]): number {
  const { type } = parameter
  const [, inner, count] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  const { bytes, start, before, place = before } = at
  if (inner !== undefined) {
    const isList = count === ''
    const length = isList ? Number(readWord(bytes, start)) : Number(count)
    if (length > bytes.length / wordBytes) refuse('a list that is too long')
    values.push({ path: `${before}.[]`, place: `${place} count`, text: `${length}` })
    const items = Array.from({ length }, (_, index) => ({
      ...parameter,
      type: inner,
      name: `[${index}]`,
    }))
    const from = start + (isList ? wordBytes : 0)
    const found: Value[] = []
    const size = readTuple(items, { bytes, start: from, before, place }, found)
    for (const one of found) {
      values.push({ ...one, path: one.path.replace(/\.\[\d+\]/g, '.[]') })
    }
    return size + (isList ? wordBytes : 0)
  }
  if ('components' in parameter) return readTuple(parameter.components, at, values)
  const add = (text: string) => values.push({ path: before, place, text })
  if (type !== 'bytes' && type !== 'string') {
    add(readWordText(type, bytes, start))
    return wordBytes
  }
  const length = Number(readWord(bytes, start))
  const padded = Math.ceil(length / wordBytes) * wordBytes
  const from = start + wordBytes
  if (!(length <= bytes.length) || from + padded > bytes.length) refuse('bytes beyond the end')
  if (bytes.subarray(from + length, from + padded).some((byte) => byte !== 0)) {
    refuse('padding that is not zero')
  }
  add(`0x${bytes.subarray(from, from + length).toString('hex')}`)
  return wordBytes + padded
}

function readWordText(type: string, bytes: Buffer, start: number): string {
  const word = readWord(bytes, start)
  const [, kind = '', size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  const bits = BigInt(size === '' ? 256 : size)
  if (kind === 'bool') return word > 1n ? refuse('a bool above 1') : `${word === 1n}`
  if (kind === 'address') {
    if (word >> 160n !== 0n) refuse('an address above 20 bytes')
    return getAddress(`0x${word.toString(16).padStart(40, '0')}`)
  }
  if (kind === 'uint') return word >> bits === 0n ? `${word}` : refuse('an integer above its type')
  if (kind === 'int') {
    const value = BigInt.asIntN(Number(bits), word)
    return BigInt.asUintN(256, value) === word ? `${value}` : refuse('an integer above its type')
  }
  const text = word.toString(16).padStart(64, '0')
  const length = 2 * Number(size)
  if (!/^0*$/.test(text.slice(length))) refuse('padding that is not zero')
  return `0x${text.slice(0, length)}`
}

function readWord(bytes: Buffer, start: number): bigint {
  if (start + wordBytes > bytes.length) return refuse('too few bytes')
  return BigInt(`0x${bytes.subarray(start, start + wordBytes).toString('hex')}`)
}

function isDynamic(parameter: AbiParameter): boolean {
  const { type } = parameter
  if (type === 'bytes' || type === 'string' || /\[\]$/.test(type)) return true
  const [, inner] = /^(.*)\[\d+\]$/.exec(type) ?? []
  if (inner !== undefined) return isDynamic({ ...parameter, type: inner })
  return 'components' in parameter && parameter.components.some(isDynamic)
}

/** Bytes of a parameter before the tails. */
function headBytes(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return wordBytes
  const [, inner, count] = /^(.*)\[(\d+)\]$/.exec(parameter.type) ?? []
  if (inner !== undefined) return Number(count) * headBytes({ ...parameter, type: inner })
  if (!('components' in parameter)) return wordBytes
  return parameter.components.reduce((sum, one) => sum + headBytes(one), 0)
}
