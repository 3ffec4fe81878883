#!/bin/sh
echo "$1-2024.1"
