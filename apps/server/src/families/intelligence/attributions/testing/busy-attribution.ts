import { type contract, responseExamples } from '@liquidity-os/contract'

type Attribution = contract.ExecutionAttribution

const { data } = responseExamples.createAttributions as unknown as {
  data: { payload: Attribution }
}
/** The attribution that the examples of the contract hold. */
export const exampleAttribution = data.payload
const [fill] = exampleAttribution.fills as [Attribution['fills'][number]]
const block = fill.block
const mark = (seconds: number, permanentPips: number, temporaryPips: number) => ({
  seconds,
  block,
  priceX18: fill.afterPriceX18,
  permanentPips,
  temporaryPips,
})

/** Two sandwiched fills of one block and one of a later, with a benchmark. */
export const busyAttribution: Attribution = {
  ...exampleAttribution,
  fills: [
    { ...fill, metPriceX18: '3700000000000000', marks: [mark(60, 900, 300), mark(300, 500, 700)] },
    { ...fill, marks: [mark(60, -40, 90), mark(300, 10, 40), mark(1800, 30, 20)] },
    { ...fill, block: { ...block, number: block.number + 3 }, marks: [] },
  ],
  components: {
    ...exampleAttribution.components!,
    delay: '-2000000000000000',
    mev: '3000000000000000',
  },
  componentsPips: { ...exampleAttribution.componentsPips!, delay: -4000, mev: 2500 },
  benchmark: {
    pool: fill.legs[0]!.pool,
    from: block,
    to: block,
    dailyVolatilityPips: 60_000,
    dailyVolumeBase: '300000000000000000000',
    expectedPips: 5_700,
    actualPips: 7_000,
    ratioPips: 1_228_070,
  },
}
