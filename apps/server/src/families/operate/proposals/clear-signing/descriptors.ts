import type { contract } from '@liquidity-os/contract'
import type { AbiFunction, AbiParameter } from 'viem'
import { abiOf, parameterName } from '../../../../market/adapters/decode-call.ts'

type File = contract.ClearSigningFile
type Field = File['display']['formats'][string]['fields'][number]

type Adapter = contract.Adapter
type Declared = contract.AdapterFunction
type Deployment = File['context']['contract']['deployments'][number]

/**
 * Descriptors of ERC-7730 for the adapters of a release. Each contract has one descriptor with the
 * functions of all its adapters, because a wallet looks one up by contract. An adapter of all tokens
 * has no deployment, so wallets could not find its descriptor.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7730
 */
export function describeAdapters(adapters: readonly Adapter[]): File[] {
  const byContract = new Map<string, { deployment: Deployment; adapters: Adapter[] }>()
  for (const adapter of adapters) {
    for (const { chainId, address } of adapter.contracts) {
      const key = `${chainId}|${address.toLowerCase()}`
      const found = byContract.get(key) ?? { deployment: { chainId, address }, adapters: [] }
      if (!found.adapters.includes(adapter)) found.adapters.push(adapter)
      byContract.set(key, found)
    }
  }
  const idOf = ({ adapters: found }: { adapters: readonly Adapter[] }) =>
    found.map(({ adapterId }) => adapterId).join('+')
  return [...Map.groupBy(byContract.values(), idOf)].map(([id, group]) =>
    describe(
      id,
      group[0]!.adapters,
      group.map(({ deployment }) => deployment),
    ),
  )
}

function describe(
  id: string,
  adapters: readonly Adapter[],
  deployments: readonly Deployment[],
): File {
  const functions = adapters.flatMap(({ name, functions: all }) =>
    all.map((declared) => ({ name, declared, abi: mutableAbiOf(declared) })),
  )
  return {
    context: {
      $id: id,
      contract: { abi: functions.map(({ abi }) => ({ ...abi })), deployments: [...deployments] },
    },
    metadata: { owner: adapters[0]!.name },
    display: {
      formats: Object.fromEntries(
        functions.map(({ name, declared, abi }) => [
          namedSignature(abi),
          {
            intent: `${name}: ${abi.name}`,
            fields: [...(takesCoin(declared) ? [coinField] : []), ...fieldsOfCall(abi, declared)],
          },
        ]),
      ),
    },
  }
}

/** The amount of a wrap is the value of the transaction, not an argument. */
const takesCoin = ({ kind }: Declared): boolean => kind === 'WRAP'

const coinField: Field = { path: '@.value', label: 'value', format: 'amount' }

const mutableAbiOf = (declared: Declared): AbiFunction =>
  takesCoin(declared) ? { ...abiOf(declared), stateMutability: 'payable' } : abiOf(declared)

/** The signature with the names of the parameters, as a key of `formats`. */
export const namedSignature = ({ name, inputs }: AbiFunction): string =>
  `${name}(${inputs.map(parameterText).join(',')})`

function parameterText(parameter: AbiParameter): string {
  const { type } = parameter
  const text =
    'components' in parameter
      ? `(${parameter.components.map(parameterText).join(',')})${type.slice('tuple'.length)}`
      : type
  return `${text} ${parameterName(parameter)}`.trim()
}

type Roles = Declared['roles']

/** One field per value of a call, so that no byte of it stays hidden. */
function fieldsOfCall({ inputs }: AbiFunction, { roles }: Declared): Field[] {
  const values = inputs.flatMap((input) => valuesOf(input, ''))
  const packed = new Set(values.flatMap(({ type, path }) => (type === 'bytes' ? [path] : [])))
  return values.map(({ type, path, label }) => {
    const tokenPath = tokenPathOf(path, roles)
    const token = tokenPath === null ? null : descriptorPath(tokenPath, packed)
    return { path, label, ...formatOf({ type, path }, token, roles) }
  })
}

interface Value {
  readonly type: string
  readonly path: string
  readonly label: string
}

function valuesOf(parameter: AbiParameter, before: string): Value[] {
  const { type } = parameter
  const dimensions = [...type.matchAll(/\[\d*\]/g)].map(() => '.[]').join('')
  const name = parameterName(parameter)
  const place = before === '' ? name : `${before}.${name}`
  const path = `${place}${dimensions}`
  if ('components' in parameter) {
    return parameter.components.flatMap((component) => valuesOf(component, path))
  }
  return [{ type, path, label: place }]
}

function formatOf(
  { type, path }: Pick<Value, 'type' | 'path'>,
  tokenPath: string | null,
  roles: Roles,
): Pick<Field, 'format' | 'params'> {
  if (type.startsWith('address')) return { format: 'addressName' }
  if (path === roles.deadline || isExpiration(type, path)) {
    return { format: 'date', params: { encoding: 'timestamp' } }
  }
  if (tokenPath === null) return { format: 'raw' }
  return { format: 'tokenAmount', params: { tokenPath } }
}

/** Permit2 names the end of an allowance, which is no deadline of the call. */
const isExpiration = (type: string, path: string): boolean =>
  type.startsWith('uint') && /(^|\.)expiration$/.test(path)

/** Path of the token of an amount, as the release names it; null for other values. */
function tokenPathOf(path: string, roles: Roles): string | null {
  const { amountIn, tokenIn, amountOutMinimum, tokenOut, amountsIn = [], amountsOut = [] } = roles
  const amounts = [
    { token: tokenIn, amount: amountIn, minimum: undefined },
    { token: tokenOut, amount: undefined, minimum: amountOutMinimum },
    ...amountsIn,
    ...amountsOut,
  ]
  const found = amounts.find(({ amount, minimum }) => path === amount || path === minimum)
  return found?.token ?? null
}

/**
 * The release names the ends of a list or of packed bytes; ERC-7730 has indexes and slices. Null for
 * a token that is no argument.
 */
function descriptorPath(path: string, packed: ReadonlySet<string>): string | null {
  if (path === '$target') return '@.to'
  // The tokens of a position and the token of a pair are known on chain only.
  if (path.startsWith('$')) return null
  const [, list = path, end] = /^(.*)\.(first|last)$/.exec(path) ?? []
  if (end === undefined) return path
  const [first, last] = packed.has(list) ? ['0:20', '-20:'] : ['0', '-1']
  return `${list}.[${end === 'first' ? first : last}]`
}
