import { type Address, encodeFunctionData, getContractAddress, parseAbi, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * Prints the calls of a Safe that adds liquidity to a Uniswap v3 pool of the demo: two allowances and
 * a mint of 0.1 of the quote with 10 of the base.
 *
 *     node docs/examples/liquidity-calls.ts <base> <quote> <recipient>
 */
const [base, quote, recipient] = process.argv.slice(2) as [Address, Address, Address]
const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
// The sixth contract that the demo deploys.
const manager = getContractAddress({ from: deployer.address, nonce: 5n })
const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])
const amounts = [
  { token: base, amount: parseEther('10') },
  { token: quote, amount: parseEther('0.1') },
] as const
const [first, second] = amounts.toSorted((a, b) =>
  a.token.toLowerCase() < b.token.toLowerCase() ? -1 : 1,
)
const least = (amount: bigint) => (amount * 99n) / 100n
const mint = encodeFunctionData({
  abi,
  functionName: 'mint',
  args: [
    {
      token0: first!.token,
      token1: second!.token,
      fee: 3000,
      tickLower: -887220,
      tickUpper: 887220,
      amount0Desired: first!.amount,
      amount1Desired: second!.amount,
      amount0Min: least(first!.amount),
      amount1Min: least(second!.amount),
      recipient,
      deadline: BigInt(Math.floor(Date.now() / 1000) + 3600),
    },
  ],
})
const approvals = amounts.map(({ token, amount }) => ({
  to: token,
  value: '0',
  data: encodeFunctionData({ abi, functionName: 'approve', args: [manager, amount] }),
}))
console.log(JSON.stringify([...approvals, { to: manager, value: '0', data: mint }]))
