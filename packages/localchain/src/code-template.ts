import {
  type AbiParameter,
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  size,
} from 'viem'

/** A build as compilers publish it. */
export interface PublishedBuild {
  readonly abi: readonly { readonly type: string; readonly inputs?: readonly AbiParameter[] }[]
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}

/** A published build with the offsets of the immutables that its constructor writes. */
export interface CodeTemplate {
  readonly hash: Hex
  readonly bytes: number
  readonly immutables: readonly number[]
}

interface Deploying {
  deploy(initCode: Hex): Promise<Address>
  readonly publicClient: { getCode(terms: { address: Address }): Promise<Hex | undefined> }
}

const pushedZeros = Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(32)])

/**
 * Deploys a build twice with different arguments. Zero words of the build that a deployment
 * fills are its immutables.
 *
 * @throws Error if a deployment differs from the build elsewhere
 */
export async function readCodeTemplate(
  chain: Deploying,
  { abi, bytecode, deployedBytecode }: PublishedBuild,
): Promise<CodeTemplate> {
  const inputs = abi.find(({ type }) => type === 'constructor')?.inputs ?? []
  const deployed: Buffer[] = []
  for (const seed of [1, 101]) {
    const encoded = encodeAbiParameters(inputs, argumentsFrom(inputs, seed))
    const address = await chain.deploy(concatHex([bytecode, encoded]))
    deployed.push(bytesOf((await chain.publicClient.getCode({ address })) ?? '0x'))
  }
  const build = bytesOf(deployedBytecode)
  const immutables: number[] = []
  for (let at = build.indexOf(pushedZeros); at >= 0; at = build.indexOf(pushedZeros, at + 1)) {
    const isFilled = deployed.some((code) =>
      code.subarray(at + 1, at + 33).some((byte) => byte > 0),
    )
    if (isFilled) immutables.push(at + 1)
  }
  for (const code of deployed) {
    for (const start of immutables) code.fill(0, start, start + 32)
    if (!code.equals(build)) throw new Error('the deployed code differs from the published build')
  }
  return { hash: keccak256(deployedBytecode), bytes: size(deployedBytecode), immutables }
}

const bytesOf = (code: Hex) => Buffer.from(code.slice(2), 'hex')

/** Arguments that differ from each other and between seeds, so that every immutable is filled. */
function argumentsFrom(inputs: readonly AbiParameter[], seed: number): unknown[] {
  return inputs.map((input, index) => {
    const value = seed * 1000 + index + 1
    if ('components' in input) return argumentsFrom(input.components, value)
    if (input.type === 'address') return numberToHex(value, { size: 20 })
    if (input.type === 'bytes32') return numberToHex(value, { size: 32 })
    if (/^uint\d*$/.test(input.type)) return BigInt(value)
    throw new Error(`a constructor argument of type ${input.type} is not supported`)
  })
}
