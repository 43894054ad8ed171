export { type ReplaySearch, type SearchResult, searchReplay } from '../src/search/search-replay.ts'
export {
  type GridAxis,
  GridError,
  type GridPoint,
  MOST_POINTS,
  strategyGrid,
} from '../src/search/strategy-grid.ts'
