export { type Route, routeOf } from '../src/routing/route.ts'
export { type Split, type SplitLeg, splitOrder, type Venue } from '../src/routing/split-order.ts'
