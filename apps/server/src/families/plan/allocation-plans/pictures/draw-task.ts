import { type Drawing, drawCharts, orReasons, type Paper, usualPaper } from '@liquidity-os/drawing'
import type { AllocationPlan } from '../allocation-input.ts'
import { allocationCharts } from '../charts.ts'

export default (plan: AllocationPlan, paper: Paper = usualPaper): Drawing[] =>
  orReasons(drawCharts(allocationCharts(plan), paper), plan, paper)
