import type { contract } from '@liquidity-os/contract'
import type { AbiFunction, AbiParameter } from 'viem'
import { abiOf, parameterName } from '../../../../market/adapters/decode-call.ts'

type File = contract.ClearSigningFile
type Field = File['display']['formats'][string]['fields'][number]

/**
 * Descriptors of ERC-7730 for the adapters of a release. An adapter of all tokens has no deployment,
 * so wallets could not find its descriptor.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7730
 */
export function describeAdapters(adapters: readonly contract.Adapter[]): File[] {
  return adapters.flatMap(({ adapterId, name, contracts, functions }): File[] => {
    if (contracts.length === 0) return []
    const abis = functions.map((declared) => ({ declared, abi: abiOf(declared) }))
    return [
      {
        context: {
          $id: adapterId,
          contract: {
            abi: abis.map(({ abi }) => ({ ...abi })),
            deployments: contracts.map(({ chainId, address }) => ({ chainId, address })),
          },
        },
        metadata: { owner: name },
        display: {
          formats: Object.fromEntries(
            abis.map(({ declared, abi }) => [
              namedSignature(abi),
              {
                intent: `${name}: ${abi.name}`,
                fields: abi.inputs.flatMap((input) => fieldsOf(input, '', declared.roles)),
              },
            ]),
          ),
        },
      },
    ]
  })
}

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

type Roles = contract.AdapterFunction['roles']

/** One field per value of a parameter, so that no byte of a call stays hidden. */
function fieldsOf(parameter: AbiParameter, before: string, roles: Roles): Field[] {
  const { type } = parameter
  const dimensions = [...type.matchAll(/\[\d*\]/g)].map(() => '.[]').join('')
  const name = parameterName(parameter)
  const place = before === '' ? name : `${before}.${name}`
  const path = `${place}${dimensions}`
  if ('components' in parameter) {
    return parameter.components.flatMap((component) => fieldsOf(component, path, roles))
  }
  return [{ path, label: place, ...formatOf(type, path, roles) }]
}

function formatOf(type: string, path: string, roles: Roles): Pick<Field, 'format' | 'params'> {
  if (type.startsWith('address')) return { format: 'addressName' }
  if (path === roles.deadline) return { format: 'date', params: { encoding: 'timestamp' } }
  const token = path === roles.amountIn ? roles.tokenIn : undefined
  const bought = path === roles.amountOutMinimum ? roles.tokenOut : undefined
  const tokenPath = token ?? bought
  if (tokenPath === undefined) return { format: 'raw' }
  return { format: 'tokenAmount', params: { tokenPath: listPath(tokenPath) } }
}

/** The release names the ends of a list; ERC-7730 has their index. */
const listPath = (path: string) => path.replace(/\.first$/, '.[0]').replace(/\.last$/, '.[-1]')
