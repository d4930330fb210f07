//! Typed messages of AICC, GABP and AiControl.
